package io.aardappel.operator.plan;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known about one Replication at one moment. Immutable.
 *
 * @param now by the operator's clock
 * @param resource as the API server has it, its last status included
 * @param podPrefix with which the names of its pods begin
 * @param workload its Deployment, empty when there is none
 * @param pods all of them, those that end too
 * @param state what the destination says
 * @param page what the active pod says
 * @param obstacle what keeps its configuration from taking effect, known before anything is tried
 * @param secretsHash of what the Secrets hold that its pods mount; empty where there are none, or not all are known
 * @param checks of streams that are no members, what keeps each from being read and written, for a person; empty for
 *     nothing. What is not in it was not checked yet
 */
public record Observed(
        Instant now,
        Replication resource,
        String podPrefix,
        Optional<Workload> workload,
        List<PodSeen> pods,
        StateSeen state,
        PageSeen page,
        Optional<Obstacle> obstacle,
        String secretsHash,
        Map<Stream, String> checks) {
    /** Kubernetes starts an ended process after 10 s, 20 s and so on: five take some three minutes. */
    public static final int CRASHES_MAX = 5;

    public Observed {
        pods = List.copyOf(pods);
        checks = Map.copyOf(checks);
    }

    /** Whether the instance is this resource's. In Conflict it is another's, and so is all that is told of it. */
    boolean isServed() {
        return obstacle.filter(one -> one.reason() == Reason.CONFLICT).isEmpty();
    }

    /** The same, but for what is known of the instance. */
    Observed withoutInstance() {
        return new Observed(
                now,
                resource,
                podPrefix,
                workload,
                pods,
                new StateSeen.NotAsked(),
                new PageSeen.NotAsked(),
                obstacle,
                secretsHash,
                Map.of());
    }

    /**
     * The Deployment as it is.
     *
     * @param pods how many it is to have
     * @param togetherHash of what all pods that run at a time must agree on, as it was when the template was written
     * @param image of its template
     * @param configMap that its template names
     * @param selector by which its pods are found, as {@code kubectl} takes it
     * @param settled whether every pod is of this template and the Deployment's controller has seen it
     * @param refusal why the API server makes no pods of it, in its words
     * @param streams that its configuration names, in that order; none where the configuration cannot be read
     */
    public record Workload(
            int pods,
            String togetherHash,
            String image,
            String configMap,
            String selector,
            boolean settled,
            Optional<String> refusal,
            List<Stream> streams) {
        public Workload {
            streams = List.copyOf(streams);
        }
    }

    /**
     * A pod of it.
     *
     * @param ready by its readiness probe
     * @param marked whether it is marked as the one to be removed last
     * @param trouble why it does not run, for a person
     * @param secretsHash of what its Secrets held when that was last noted at it; empty before
     * @param crash how its process ended last, where it ended soon after its start and not as requested
     * @param imageless whether its image cannot be had, and waiting has not helped
     */
    public record PodSeen(
            String name,
            boolean ready,
            boolean marked,
            Optional<String> trouble,
            String secretsHash,
            Optional<Crash> crash,
            boolean imageless) {
        /** One that has its image. */
        public PodSeen(
                String name,
                boolean ready,
                boolean marked,
                Optional<String> trouble,
                String secretsHash,
                Optional<Crash> crash) {
            this(name, ready, marked, trouble, secretsHash, crash, false);
        }

        /** Whether it was started so often in vain that nobody should expect more of the next time. */
        boolean keepsEnding() {
            return !ready && crash.filter(one -> one.times() >= CRASHES_MAX).isPresent();
        }
    }

    /**
     * An end that was no request.
     *
     * @param times that the process was started anew, in all
     * @param words its exit code and last words, for a person
     */
    public record Crash(int times, String words) {}

    /**
     * Keeps the configuration from taking effect.
     *
     * @param reason a reason of the condition Configured
     * @param message what and where, and what can be done, for a person
     */
    public record Obstacle(Reason reason, String message) {}
}
