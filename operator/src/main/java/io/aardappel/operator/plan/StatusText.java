package io.aardappel.operator.plan;

import io.aardappel.contract.Stage;
import io.aardappel.crds.api.ReplicationStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the status. What it keeps of the one before are times of transitions, and what stopped the replication last. */
final class StatusText {
    private final Observed seen;
    private final @Nullable ReplicationStatus before;
    /** Of the instance; nothing where that is another resource's. */
    private final @Nullable ReplicationStatus known;

    private StatusText(Observed seen) {
        this.seen = seen;
        this.before = seen.resource().getStatus();
        this.known = seen.isServed() ? before : null;
    }

    /** @param resumed the request that is answered now */
    static ReplicationStatus of(
            Observed seen, Streams streams, Map<ConditionType, Verdict> verdicts, Optional<String> resumed) {
        return new StatusText(seen).status(streams, verdicts, resumed);
    }

    private ReplicationStatus status(Streams streams, Map<ConditionType, Verdict> verdicts, Optional<String> resumed) {
        Optional<StateSeen.Row> row = seen.state() instanceof StateSeen.Row one ? Optional.of(one) : Optional.empty();
        Optional<StateSeen.Row> placed = row.filter(one -> one.step() != 0);
        int wanted = seen.resource().getSpec().streams().size();
        return new ReplicationStatus(
                seen.resource().getMetadata().getGeneration(),
                word(verdicts),
                row.map(one -> one.stage().name()).orElse(known == null ? null : known.stage()),
                placed.map(StatusText::checkpoint).orElse(known == null ? null : known.checkpoint()),
                placed.filter(one -> one.stage() == Stage.RUN && !isSuspended(verdicts))
                        .map(one -> Lag.of(Duration.between(Instant.ofEpochMilli(one.step()), seen.now())))
                        .orElse(null),
                row.map(this::activePod).orElse(null),
                lastError(row, verdicts),
                row.isPresent() ? streams.told(wanted) : known == null ? null : known.streams(),
                known == null ? null : known.migration(),
                seen.workload().map(Observed.Workload::image).orElse(null),
                seen.workload().map(Observed.Workload::configMap).orElse(null),
                seen.pods().size(),
                (int) seen.pods().stream().filter(Observed.PodSeen::ready).count(),
                seen.workload().map(Observed.Workload::selector).orElse(null),
                resumed.orElse(before == null ? null : before.resumed()),
                Confirmation.answered(seen, streams).orElse(null),
                conditions(verdicts));
    }

    private static String word(Map<ConditionType, Verdict> verdicts) {
        Verdict ready = verdict(verdicts, ConditionType.READY);
        return switch (ready.reason()) {
            case REPLICATING,
                    INITIAL_SCAN,
                    NOT_ALIGNED,
                    MIGRATION_REQUIRED,
                    STREAM_CHANGED,
                    REMOVAL_NOT_CONFIRMED,
                    STREAM_FAILED -> "Running";
            case FATAL -> "Fatal";
            case SUSPENDED, SCALED_TO_ZERO -> "Suspended";
            case DELETING -> "Deleting";
            case STARTING, ROLLING_OUT, STOPPING_FOR_CHANGE, TAKEOVER_PENDING, NOT_MEASURED -> "Starting";
            case CONFLICT, CONFIG_TOO_LARGE, SECRET_NOT_FOUND, REFUSED_BY_API_SERVER, NO_STREAMS, NOT_READ -> "Pending";
            default -> "Waiting";
        };
    }

    /** What nobody wants to move has no lag: it would grow without an end, and the status with it. */
    private static boolean isSuspended(Map<ConditionType, Verdict> verdicts) {
        Reason reason = verdict(verdicts, ConditionType.READY).reason();
        return reason == Reason.SUSPENDED || reason == Reason.SCALED_TO_ZERO;
    }

    private static Verdict verdict(Map<ConditionType, Verdict> verdicts, ConditionType type) {
        Verdict verdict = verdicts.get(type);
        if (verdict == null) {
            throw new IllegalStateException("there is always a condition " + type.word());
        }
        return verdict;
    }

    private static ReplicationStatus.Checkpoint checkpoint(StateSeen.Row row) {
        return new ReplicationStatus.Checkpoint(
                Long.toUnsignedString(row.step()),
                Long.toUnsignedString(row.txId()),
                Instant.ofEpochMilli(row.step()).toString());
    }

    private @Nullable String activePod(StateSeen.Row row) {
        return Holder.of(row, seen.pods(), seen.podPrefix()) instanceof Holder.Ours ours
                ? ours.pod().name()
                : null;
    }

    private @Nullable String lastError(Optional<StateSeen.Row> row, Map<ConditionType, Verdict> verdicts) {
        if (row.isPresent() && row.get().fatal()) {
            return Texts.cut(row.get().lastMessage());
        }
        boolean runs = verdict(verdicts, ConditionType.READY).isTrue();
        return runs || known == null ? null : known.lastError();
    }

    private List<Condition> conditions(Map<ConditionType, Verdict> verdicts) {
        return verdicts.entrySet().stream()
                .map(entry -> condition(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Condition condition(ConditionType type, Verdict verdict) {
        String status = verdict.status().word();
        String since = previous(before, type)
                .filter(one -> one.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .orElseGet(() -> seen.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(type.word())
                .withStatus(status)
                .withReason(verdict.reason().word())
                .withMessage(Texts.cut(verdict.message()))
                .withLastTransitionTime(since)
                .withObservedGeneration(seen.resource().getMetadata().getGeneration())
                .build();
    }

    /** The condition as it was. */
    static Optional<Condition> previous(@Nullable ReplicationStatus status, ConditionType type) {
        if (status == null || status.conditions() == null) {
            return Optional.empty();
        }
        return status.conditions().stream()
                .filter(one -> one.getType().equals(type.word()))
                .findFirst();
    }
}
