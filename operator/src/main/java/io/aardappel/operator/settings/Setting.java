package io.aardappel.operator.settings;

import java.util.Locale;

/**
 * Every setting of the operator, in the order of the reference page, which is made from this. Each is a flag of the command line and a
 * variable of the environment; the flag wins.
 */
public enum Setting {
    WATCH_NAMESPACES(
            "watch-namespaces",
            "`all`, `own`, or names of namespaces with commas between them",
            "all",
            "Whose Replications are served: those of all namespaces, of the operator's own, or of these. The operator's rights must"
                    + " reach as far."),
    REPLICATOR_IMAGE(
            "replicator-image",
            "the name of an image, without spaces and of at most 512 characters",
            "",
            "Image of the replicator, where a resource names none. Required."),
    POLL_PERIOD(
            "poll-period",
            "a duration from 1s to 10m",
            "10s",
            "How often each state table and each active pod is asked; a status is written once in that time at most."),
    DATABASE_THREADS(
            "database-threads",
            "a whole number from 1 to 64",
            "4",
            "How many state tables are asked at a time, and how many pods."),
    RECONCILE_THREADS(
            "reconcile-threads", "a whole number from 1 to 64", "8", "How many resources are reconciled at a time."),
    LEADER_ELECTION(
            "leader-election",
            "`true` or `false`",
            "true",
            "Whether operators agree by a lease on which of them acts. `false` only where there is never more than one."),
    LEASE_NAME(
            "lease-name",
            "the name of an object: lower-case letters, digits, `-` and `.`",
            "aardappel-operator",
            "Name of the lease."),
    LEASE_NAMESPACE(
            "lease-namespace",
            "the name of a namespace: at most 63 lower-case letters, digits and `-`",
            "",
            "Where the lease is. Default: the operator's own namespace."),
    LEASE_DURATION(
            "lease-duration",
            "a duration from 1s to 10m",
            "15s",
            "After so long without a sign of life of the one that acts another takes over."),
    LEASE_RENEW_DEADLINE(
            "lease-renew-deadline",
            "a duration from 500ms to 10m, shorter than `lease-duration`",
            "10s",
            "The one that acts ends when it could not renew the lease for so long."),
    LEASE_RETRY_PERIOD(
            "lease-retry-period",
            "a duration from 100ms to 1m, shorter than half of `lease-renew-deadline`",
            "2s",
            "How often the lease is renewed, or asked for."),
    POD_NAMESPACE(
            "pod-namespace",
            "the name of a namespace: at most 63 lower-case letters, digits and `-`",
            "",
            "The operator's own namespace. Default: that of its pod, else that of the kubeconfig's context."),
    POD_NAME(
            "pod-name",
            "a text of 1 to 200 characters",
            "",
            "What this operator calls itself in the lease and in Events. Default: the name of its host, in a cluster the pod's."),
    LISTEN(
            "listen",
            "`HOST:PORT`, or `:PORT` for all addresses of the machine, IPv4 and IPv6, with a port from 0 to 65535",
            ":8080",
            "Where `/livez`, `/readyz` and `/metrics` are served. Port 0 lets the system pick one."),
    STOP_TIMEOUT(
            "stop-timeout",
            "a duration from 1s to 5m",
            "20s",
            "How long reconciliations under way may take when a stop is requested. Keep it below the pod's"
                    + " terminationGracePeriodSeconds."),
    LOG_LEVEL("log-level", "`debug`, `info`, `warn` or `error`", "info", "Least level of log lines that are written.");

    private final String word;
    private final String allowed;
    private final String fallback;
    private final String meaning;

    Setting(String word, String allowed, String fallback, String meaning) {
        this.word = word;
        this.allowed = allowed;
        this.fallback = fallback;
        this.meaning = meaning;
    }

    /** On the command line. */
    public String flag() {
        return "--" + word;
    }

    /** In the environment. */
    public String variable() {
        return word.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** What may be written, for a person; it fits behind "must be". */
    public String allowed() {
        return allowed;
    }

    /** What it is when nobody writes it; empty where that is nothing, or follows from where the program runs. */
    public String fallback() {
        return fallback;
    }

    /** What it is for, for a person. */
    public String meaning() {
        return meaning;
    }
}
