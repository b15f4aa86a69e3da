package io.aardappel.operator.app;

import io.aardappel.contract.Stage;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.operator.metrics.ReplicationGauges;
import io.aardappel.operator.plan.ConditionType;
import io.aardappel.operator.reconcile.Standings;
import java.time.Instant;
import java.util.Optional;

/** Puts what the status says into the metrics. Thread-safe. */
final class StandingGauges implements Standings {
    private final ReplicationGauges gauges;

    StandingGauges(ReplicationGauges gauges) {
        this.gauges = gauges;
    }

    @Override
    public void now(Replication resource, ReplicationStatus status) {
        gauges.put(
                resource.getMetadata().getNamespace(),
                resource.getMetadata().getName(),
                new ReplicationGauges.Standing(
                        isTrue(status, ConditionType.READY),
                        isTrue(status, ConditionType.STALLED),
                        status.state() == null ? "" : status.state(),
                        Optional.ofNullable(status.stage()),
                        checkpoint(status)));
    }

    @Override
    public void gone(Replication resource) {
        gauges.remove(
                resource.getMetadata().getNamespace(), resource.getMetadata().getName());
    }

    private static boolean isTrue(ReplicationStatus status, ConditionType type) {
        return status.conditions() != null
                && status.conditions().stream()
                        .anyMatch(one -> one.getType().equals(type.word())
                                && one.getStatus().equals("True"));
    }

    /** In a scan it tells no lag; a step beyond every calendar neither. */
    private static Optional<Instant> checkpoint(ReplicationStatus status) {
        ReplicationStatus.Checkpoint checkpoint = status.checkpoint();
        if (checkpoint == null || !Stage.RUN.name().equals(status.stage())) {
            return Optional.empty();
        }
        long step = Long.parseUnsignedLong(checkpoint.stepId());
        return step < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(step));
    }
}
