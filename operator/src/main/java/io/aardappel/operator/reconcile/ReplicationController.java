package io.aardappel.operator.reconcile;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.resources.Names;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** How the SDK drives the reconciler. */
public final class ReplicationController {
    private ReplicationController() {}

    /**
     * Sets everything but the namespaces. A resource wakes the reconciler when its generation, its deletion, its finalizers or our
     * annotations changed: its own status does not, or every write would call for the next. One that is deleted is reconciled too, for
     * its finalizer is the plan's matter.
     */
    public static void configure(ControllerConfigurationOverrider<Replication> overrider) {
        overrider
                .withName(Names.MANAGER)
                .withFieldManager(Names.MANAGER)
                .withGenerationAware(false)
                .withTriggerReconcilerOnAllEvents(true)
                .withOnUpdateFilter((now, before) -> isOfInterest(before, now));
    }

    private static boolean isOfInterest(Replication before, Replication now) {
        return !Objects.equals(
                        before.getMetadata().getGeneration(), now.getMetadata().getGeneration())
                || !Objects.equals(
                        before.getMetadata().getDeletionTimestamp(),
                        now.getMetadata().getDeletionTimestamp())
                || !Objects.equals(
                        before.getMetadata().getFinalizers(), now.getMetadata().getFinalizers())
                || !commands(before).equals(commands(now));
    }

    private static Map<String, String> commands(Replication resource) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        return annotations == null
                ? Map.of()
                : annotations.entrySet().stream()
                        .filter(one -> one.getKey().startsWith(Names.PREFIX))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
