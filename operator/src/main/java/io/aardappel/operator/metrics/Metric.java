package io.aardappel.operator.metrics;

import java.util.List;

/**
 * Every metric of the operator's own, in the order of the reference page, which is made from this. What the Java runtime says of
 * itself ({@code jvm_*}, {@code process_*}, {@code system_*}) is not among them.
 */
public enum Metric {
    READY("replication_ready", Type.GAUGE, "1 while the condition Ready is True.", "namespace", "name"),
    STALLED(
            "replication_stalled",
            Type.GAUGE,
            "1 while the condition Stalled is True: nothing will change without a person.",
            "namespace",
            "name"),
    STATE("replication_state", Type.GAUGE, "1 for the state that the status tells.", "namespace", "name", "state"),
    STAGE(
            "replication_stage",
            Type.GAUGE,
            "1 for the stage in the state table; absent before the first row.",
            "namespace",
            "name",
            "stage"),
    LAG(
            "replication_lag_seconds",
            Type.GAUGE,
            "Seconds from the last checkpoint that was read to now, by this machine's clock; only in stage RUN. Grows while the"
                    + " state table cannot be read.",
            "namespace",
            "name"),
    LEADER("leader", Type.GAUGE, "1 while this operator is the one that acts."),
    RECONCILIATIONS(
            "reconciliations",
            Type.COUNTER,
            "Passes over one resource: success, or failure, which is tried again.",
            "result"),
    RECONCILE_DURATION("reconcile_duration_seconds", Type.HISTOGRAM, "How long a pass took."),
    RETRIES("reconcile_retries", Type.COUNTER, "Passes that repeated one that had failed."),
    ACTIVE("reconciliations_active", Type.GAUGE, "Passes that are under way."),
    WAITING("reconciliations_waiting", Type.GAUGE, "Resources that wait for a thread to reconcile them."),
    EVENTS("events_received", Type.COUNTER, "Changes in the cluster, and timers, that woke the reconciler."),
    POLL_DURATION(
            "poll_duration_seconds",
            Type.HISTOGRAM,
            "How long it took to ask: database is a state table, page is the /status of a pod.",
            "target"),
    POLL_FAILURES("poll_failures", Type.COUNTER, "How often there was no answer.", "target"),
    API_DURATION(
            "api_request_duration_seconds",
            Type.HISTOGRAM,
            "Seconds to the first byte of an answer of the API server; watches not counted.",
            "method"),
    API_REQUESTS(
            "api_requests",
            Type.COUNTER,
            "Answers of the API server by HTTP status; code is none where there was no answer.",
            "method",
            "code"),
    BUILD("build", Type.INFO, "Always 1.", "version", "java");

    private static final String PREFIX = "aardappel_operator_";

    /** What Prometheus makes of it. */
    public enum Type {
        COUNTER("_total"),
        GAUGE(""),
        HISTOGRAM(""),
        INFO("_info");

        private final String suffix;

        Type(String suffix) {
            this.suffix = suffix;
        }
    }

    private final String word;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Metric(String word, Type type, String help, String... labels) {
        this.word = word;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** The family's name, without the suffix of its type. */
    String family() {
        return PREFIX + word;
    }

    /** As it is read on the page. */
    public String exposed() {
        return family() + type.suffix;
    }

    public Type type() {
        return type;
    }

    /** What it says, for a person. */
    public String help() {
        return help;
    }

    /** Names of its labels, in order. */
    public List<String> labels() {
        return labels;
    }

    String[] labelNames() {
        return labels.toArray(String[]::new);
    }
}
