package io.aardappel.operator.observe;

import io.aardappel.operator.plan.Observed;
import io.aardappel.operator.resources.DesiredConfigMap;
import io.aardappel.operator.resources.DesiredDeployment;
import io.aardappel.operator.resources.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a Deployment and its pods say, in the plan's words. */
public final class WorkloadReading {
    /** Annotation by which Kubernetes chooses which pod to remove first: the cheapest. */
    public static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    /** Annotation of a pod: what its Secrets held when the kubelet was last sent to look at them. */
    public static final String SECRETS_HASH = Names.PREFIX + "secrets-hash";

    private static final Duration RUN_OF_A_CRASH = Duration.ofMinutes(10);

    /** By then Kubernetes has asked a registry some five times. */
    private static final Duration IMAGE_WAIT = Duration.ofMinutes(2);

    private static final Set<String> IMAGE_NEVER = Set.of("InvalidImageName", "ErrImageNeverPull");
    private static final Set<String> IMAGE_NOT_NOW =
            Set.of("ErrImagePull", "ImagePullBackOff", "ImageInspectError", "RegistryUnavailable");

    private WorkloadReading() {}

    /**
     * Of the Deployment of a Replication.
     *
     * @param configs the ConfigMaps of the Replication
     */
    public static Observed.Workload workload(Deployment deployment, List<ConfigMap> configs) {
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        Map<String, String> annotations = deployment.getMetadata().getAnnotations();
        String hash = annotations == null ? null : annotations.get(DesiredDeployment.TOGETHER_HASH);
        String config = template.getSpec().getVolumes().stream()
                .map(Volume::getConfigMap)
                .filter(Objects::nonNull)
                .findFirst()
                .map(volume -> volume.getName())
                .orElse("");
        return new Observed.Workload(
                Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1),
                hash == null ? "" : hash,
                template.getSpec().getContainers().stream()
                        .filter(container -> container.getName().equals(DesiredDeployment.CONTAINER))
                        .findFirst()
                        .map(container -> container.getImage())
                        .orElse(""),
                config,
                selector(deployment.getSpec().getSelector().getMatchLabels()),
                isSettled(deployment),
                refusal(deployment.getStatus()),
                configs.stream()
                        .filter(one -> one.getMetadata().getName().equals(config))
                        .findFirst()
                        .map(DesiredConfigMap::streams)
                        .orElse(List.of()));
    }

    private static String selector(Map<String, String> labels) {
        return new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    private static boolean isSettled(Deployment deployment) {
        DeploymentStatus status = deployment.getStatus();
        int wanted = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
        return status != null
                && Objects.requireNonNullElse(status.getObservedGeneration(), 0L)
                        >= deployment.getMetadata().getGeneration()
                && Objects.requireNonNullElse(status.getReplicas(), 0) == wanted
                && Objects.requireNonNullElse(status.getUpdatedReplicas(), 0) == wanted;
    }

    /** A quota or an admission rule keeps pods from being made; Kubernetes notes its words here. */
    private static Optional<String> refusal(@Nullable DeploymentStatus status) {
        return status == null
                ? Optional.empty()
                : status.getConditions().stream()
                        .filter(one -> one.getType().equals("ReplicaFailure")
                                && one.getStatus().equals("True"))
                        .findFirst()
                        .map(one -> one.getReason() + ": " + one.getMessage());
    }

    /**
     * Of a pod of a Replication.
     *
     * @param now by the operator's clock
     */
    public static Observed.PodSeen pod(Pod pod, Instant now) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String cost = annotations == null ? null : annotations.get(DELETION_COST);
        return new Observed.PodSeen(
                pod.getMetadata().getName(),
                isReady(pod),
                cost != null,
                trouble(pod),
                secretsHash(pod),
                crash(pod),
                isImageless(pod, now));
    }

    /** What was noted at a pod; empty when nothing was. */
    public static String secretsHash(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String hash = annotations == null ? null : annotations.get(SECRETS_HASH);
        return hash == null ? "" : hash;
    }

    private static boolean isReady(Pod pod) {
        return conditions(pod)
                .anyMatch(
                        one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
    }

    private static Stream<PodCondition> conditions(Pod pod) {
        return pod.getStatus() == null ? Stream.empty() : pod.getStatus().getConditions().stream();
    }

    private static Optional<String> trouble(Pod pod) {
        Optional<String> unscheduled = conditions(pod)
                .filter(one ->
                        one.getType().equals("PodScheduled") && one.getStatus().equals("False"))
                .findFirst()
                .map(one -> words(one.getReason(), one.getMessage()));
        return unscheduled.or(() -> containers(pod).stream()
                .map(WorkloadReading::trouble)
                .flatMap(Optional::stream)
                .findFirst());
    }

    /** A registry may be away for a while; a name that is none, and a policy that forbids to pull, stay. */
    private static boolean isImageless(Pod pod, Instant now) {
        String created = pod.getMetadata().getCreationTimestamp();
        boolean waited =
                created != null && Duration.between(Instant.parse(created), now).compareTo(IMAGE_WAIT) >= 0;
        return containers(pod).stream()
                .map(ContainerStatus::getState)
                .filter(state -> state != null && state.getWaiting() != null)
                .map(state -> String.valueOf(state.getWaiting().getReason()))
                .anyMatch(reason -> IMAGE_NEVER.contains(reason) || (waited && IMAGE_NOT_NOW.contains(reason)));
    }

    private static List<ContainerStatus> containers(Pod pod) {
        return pod.getStatus() == null ? List.of() : pod.getStatus().getContainerStatuses();
    }

    private static Optional<String> trouble(ContainerStatus container) {
        ContainerState state = container.getState();
        ContainerState before = container.getLastState();
        String ended = before == null ? "" : ended(before.getTerminated());
        if (state != null && state.getTerminated() != null) {
            return Optional.of(ended(state.getTerminated()));
        }
        if (state != null && state.getWaiting() != null) {
            String waiting =
                    words(state.getWaiting().getReason(), state.getWaiting().getMessage());
            return Optional.of(ended.isEmpty() ? waiting : waiting + "; " + ended);
        }
        return Optional.empty();
    }

    private static Optional<Observed.Crash> crash(Pod pod) {
        return containers(pod).stream()
                .map(WorkloadReading::crash)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Observed.Crash> crash(ContainerStatus container) {
        return Stream.of(container.getState(), container.getLastState())
                .filter(Objects::nonNull)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull)
                .findFirst()
                .filter(WorkloadReading::endedSoon)
                .map(end -> new Observed.Crash(Objects.requireNonNullElse(container.getRestartCount(), 0), ended(end)));
    }

    /** Kubernetes, too, counts anew after a process that ran for so long. */
    private static boolean endedSoon(ContainerStateTerminated end) {
        return !Objects.equals(end.getExitCode(), 0)
                && end.getStartedAt() != null
                && end.getFinishedAt() != null
                && Duration.between(Instant.parse(end.getStartedAt()), Instant.parse(end.getFinishedAt()))
                                .compareTo(RUN_OF_A_CRASH)
                        < 0;
    }

    private static String ended(@Nullable ContainerStateTerminated state) {
        return state == null
                ? ""
                : words(
                        "ended with code " + state.getExitCode(),
                        state.getMessage() == null ? null : LastWords.of(state.getMessage()));
    }

    private static String words(@Nullable String reason, @Nullable String message) {
        return Stream.of(reason, message)
                .filter(text -> text != null && !text.isBlank())
                .map(String::strip)
                .collect(Collectors.joining(": "));
    }
}
