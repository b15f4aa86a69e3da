package io.aardappel.operator.plan;

import io.aardappel.contract.StateTable;
import java.util.List;
import java.util.Optional;

/** Who has the lock of an instance. A replicator's owner names its host, which in a pod is the pod. */
sealed interface Holder {
    /** Its deadline has passed, or there never was one. */
    record Nobody() implements Holder {}

    /** A pod of the resource. */
    record Ours(Observed.PodSeen pod) implements Holder {}

    /**
     * A pod of the resource that is there no more.
     *
     * @param owner as the row has it
     */
    record Gone(String owner) implements Holder {}

    /**
     * Another program.
     *
     * @param owner as the row has it
     */
    record Foreign(String owner) implements Holder {}

    /**
     * Who has it now.
     *
     * @param podPrefix with which the names of the resource's pods begin
     */
    static Holder of(StateSeen.Row row, List<Observed.PodSeen> pods, String podPrefix) {
        if (!row.held() || row.owner().isEmpty()) {
            return new Nobody();
        }
        Optional<Observed.PodSeen> ours = pods.stream()
                .filter(pod -> row.owner().startsWith(StateTable.OWNER_PREFIX + pod.name() + "_"))
                .findFirst();
        if (ours.isPresent()) {
            return new Ours(ours.get());
        }
        return row.owner().startsWith(StateTable.OWNER_PREFIX + podPrefix)
                ? new Gone(row.owner())
                : new Foreign(row.owner());
    }
}
