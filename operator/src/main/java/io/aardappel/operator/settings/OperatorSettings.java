package io.aardappel.operator.settings;

import java.time.Duration;
import java.util.Optional;

/**
 * The program's settings, each within its range. Immutable.
 *
 * @param scope empty for the operator's own namespace, which is not known before the cluster's configuration was read
 * @param image of the replicator, where a resource names none
 * @param election empty where this is the only operator
 * @param namespace the operator's own; empty where it follows from where the program runs
 * @param identity not empty
 */
public record OperatorSettings(
        Optional<Scope> scope,
        String image,
        Duration pollPeriod,
        int databaseThreads,
        int reconcileThreads,
        Optional<Election> election,
        Optional<String> namespace,
        String identity,
        Listen listen,
        Duration stopTimeout,
        Level logLevel) {

    /**
     * How operators agree on which one acts.
     *
     * @param namespace of the lease; empty for the operator's own
     */
    public record Election(
            String name, Optional<String> namespace, Duration duration, Duration renewDeadline, Duration retryPeriod) {}

    /**
     * Where pages are served.
     *
     * @param host empty for all addresses of the machine
     * @param port 0 lets the system pick
     */
    public record Listen(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** Of log lines. */
    public enum Level {
        DEBUG,
        INFO,
        WARN,
        ERROR
    }
}
