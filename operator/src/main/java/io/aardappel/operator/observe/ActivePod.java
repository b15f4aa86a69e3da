package io.aardappel.operator.observe;

import io.aardappel.contract.StateTable;
import io.aardappel.operator.plan.StateSeen;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** Which pod has something to tell. */
public final class ActivePod {
    private ActivePod() {}

    /** The one that holds the lock; where none does, the first that has an address: it may say what its start waits for. */
    public static Optional<Pod> among(List<Pod> pods, StateSeen state) {
        String owner = state instanceof StateSeen.Row row && row.held() ? row.owner() : "";
        return pods.stream()
                .filter(pod -> owner.startsWith(
                        StateTable.OWNER_PREFIX + pod.getMetadata().getName() + "_"))
                .findFirst()
                .or(() -> pods.stream().filter(ActivePod::hasAddress).findFirst());
    }

    private static boolean hasAddress(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && pod.getStatus().getPodIP() != null
                && !pod.getStatus().getPodIP().isEmpty();
    }
}
