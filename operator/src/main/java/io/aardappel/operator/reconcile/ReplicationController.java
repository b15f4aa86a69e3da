package io.aardappel.operator.reconcile;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.resources.Names;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** How the SDK drives the reconciler. */
public final class ReplicationController {
    private static final Duration RETRY_FIRST = Duration.ofSeconds(1);
    private static final Duration RETRY_MAX = Duration.ofMinutes(1);

    private ReplicationController() {}

    /**
     * Sets everything but the namespaces. A resource wakes the reconciler when its generation, its deletion, its finalizers or our
     * annotations changed: its own status does not, or every write would call for the next. One that is deleted is reconciled too, for
     * its finalizer is the plan's matter. A pass that failed is tried again without end, ever more seldom.
     */
    public static void configure(ControllerConfigurationOverrider<Replication> overrider) {
        overrider
                .withName(Names.MANAGER)
                .withFieldManager(Names.MANAGER)
                .withGenerationAware(false)
                .withTriggerReconcilerOnAllEvents(true)
                .withRetry(new Backoff(RETRY_FIRST, RETRY_MAX, new SecureRandom()))
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
