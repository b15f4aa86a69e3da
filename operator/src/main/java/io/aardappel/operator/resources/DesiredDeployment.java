package io.aardappel.operator.resources;

import io.aardappel.crds.api.PodTemplate;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.operator.plan.Action;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Deployment of a Replication: pods that the restricted pod security standard admits, of which the lock makes one the
 * active one. What {@code spec.template} says comes on top.
 */
public final class DesiredDeployment {
    /** Of the pod template: the configuration's hash. */
    public static final String CONFIG_HASH = Names.PREFIX + "config-hash";

    /** Of the pod template: the whole name of the Replication. */
    public static final String REPLICATION_NAME = Names.PREFIX + "replication-name";

    /** Of the pod template: {@code spec.restartNonce}. */
    public static final String RESTART_NONCE = Names.PREFIX + "restart-nonce";

    /** Of the Deployment: what all pods that run at a time agree on. */
    public static final String TOGETHER_HASH = Names.PREFIX + "together-hash";

    /** The container that replicates. */
    public static final String CONTAINER = "replicator";

    public static final String PORT_NAME = "metrics";

    private static final int GRACE_SECONDS_DEFAULT = 30;
    private static final int REVISIONS_KEPT = 3;
    private static final int PROGRESS_SECONDS = 600;

    private final Replication replication;
    private final ReplicationSpec spec;
    private final Names names;
    private final PodTemplate.@Nullable Pod pod;
    private final PodTemplate.@Nullable Container container;

    private DesiredDeployment(Replication replication) {
        this.replication = replication;
        this.spec = replication.getSpec();
        this.names = Names.of(replication.getMetadata().getName());
        PodTemplate template = spec.template();
        this.pod = template == null ? null : template.pod();
        this.container = template == null ? null : template.container();
    }

    /**
     * Of this resource.
     *
     * @param plan how many pods there are to be, and what they agree on
     * @param config what the pods read
     * @param image of the replicator, where the spec names none
     */
    public static Deployment of(Replication replication, Action.Apply plan, DesiredConfigMap config, String image) {
        return new DesiredDeployment(replication).deployment(plan, config, image);
    }

    private Deployment deployment(Action.Apply plan, DesiredConfigMap config, String image) {
        Mounts mounts = Mounts.of(spec, config.object().getMetadata().getName());
        ObjectMeta metadata = Owned.metadata(replication, names.replicator());
        metadata.setAnnotations(Map.of(TOGETHER_HASH, plan.togetherHash()));
        return new DeploymentBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withReplicas(plan.pods())
                .withRevisionHistoryLimit(REVISIONS_KEPT)
                .withProgressDeadlineSeconds(PROGRESS_SECONDS)
                .withNewSelector()
                .withMatchLabels(names.selector())
                .endSelector()
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxSurge(new IntOrString(0))
                .withMaxUnavailable(new IntOrString(1))
                .endRollingUpdate()
                .endStrategy()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(podLabels())
                .withAnnotations(podAnnotations(config))
                .endMetadata()
                .withSpec(podSpec(mounts, spec.image() == null ? image : spec.image()))
                .endTemplate()
                .endSpec()
                .build();
    }

    private Map<String, String> podLabels() {
        Map<String, String> labels = new LinkedHashMap<>();
        if (spec.template() != null && spec.template().labels() != null) {
            labels.putAll(spec.template().labels());
        }
        labels.putAll(names.labels());
        return labels;
    }

    private Map<String, String> podAnnotations(DesiredConfigMap config) {
        Map<String, String> annotations = new LinkedHashMap<>();
        if (spec.template() != null && spec.template().annotations() != null) {
            annotations.putAll(spec.template().annotations());
        }
        annotations.put(CONFIG_HASH, config.hash());
        annotations.put(REPLICATION_NAME, replication.getMetadata().getName());
        if (spec.restartNonce() != null) {
            annotations.put(RESTART_NONCE, spec.restartNonce().getValue().toString());
        }
        return annotations;
    }

    private PodSpec podSpec(Mounts mounts, String image) {
        PodSpecBuilder builder = new PodSpecBuilder()
                .withServiceAccountName(serviceAccount(spec, names))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("Always")
                .withTerminationGracePeriodSeconds((long) GRACE_SECONDS_DEFAULT)
                .withSecurityContext(podSecurity(pod == null ? null : pod.securityContext()))
                .withAffinity(affinity(pod == null ? null : pod.affinity()))
                .withTopologySpreadConstraints(spread(pod == null ? null : pod.topologySpreadConstraints()))
                .withContainers(container(mounts, image))
                .withVolumes(volumes(mounts));
        if (pod != null) {
            builder.withImagePullSecrets(pod.imagePullSecrets())
                    .withNodeSelector(pod.nodeSelector())
                    .withTolerations(pod.tolerations())
                    .withPriorityClassName(pod.priorityClassName())
                    .withHostAliases(pod.hostAliases())
                    .withDnsConfig(pod.dnsConfig());
            if (pod.terminationGracePeriodSeconds() != null) {
                builder.withTerminationGracePeriodSeconds(
                        pod.terminationGracePeriodSeconds().longValue());
            }
        }
        return builder.build();
    }

    /** The named one, or the one that is made for the resource. */
    static String serviceAccount(ReplicationSpec spec, Names names) {
        PodTemplate template = spec.template();
        String named = template == null || template.pod() == null
                ? null
                : template.pod().serviceAccountName();
        return named == null ? names.replicator() : named;
    }

    private List<Volume> volumes(Mounts mounts) {
        List<Volume> all = new ArrayList<>(mounts.volumes());
        if (pod != null && pod.volumes() != null) {
            all.addAll(pod.volumes());
        }
        return all;
    }

    private Container container(Mounts mounts, String image) {
        List<VolumeMount> mounted = new ArrayList<>(mounts.mounts());
        List<EnvVar> variables = List.of();
        if (container != null) {
            mounted.addAll(container.volumeMounts() == null ? List.of() : container.volumeMounts());
            variables = container.env() == null ? List.of() : container.env();
        }
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                .withArgs("-config", Mounts.CONFIG + "/" + ConfigText.FILE)
                .withEnv(variables)
                .withResources(resources(container == null ? null : container.resources()))
                .withSecurityContext(security(container == null ? null : container.securityContext()))
                .addNewPort()
                .withName(PORT_NAME)
                .withContainerPort(Mounts.PORT)
                .withProtocol("TCP")
                .endPort()
                .withStartupProbe(probe("/livez", 2, 60))
                .withReadinessProbe(probe("/readyz", 2, 2))
                .withLivenessProbe(probe("/livez", 10, 3))
                .withTerminationMessagePath("/dev/termination-log")
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withVolumeMounts(mounted)
                .build();
    }

    private static Probe probe(String path, int periodSeconds, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withPort(new IntOrString(PORT_NAME))
                .withScheme("HTTP")
                .endHttpGet()
                .withPeriodSeconds(periodSeconds)
                .withTimeoutSeconds(2)
                .withSuccessThreshold(1)
                .withFailureThreshold(failures)
                .build();
    }

    private static ResourceRequirements resources(@Nullable ResourceRequirements wanted) {
        return wanted == null
                ? new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity("250m"))
                        .addToRequests("memory", new Quantity("512Mi"))
                        .addToLimits("memory", new Quantity("1Gi"))
                        .build()
                : wanted;
    }

    private static PodSecurityContext podSecurity(@Nullable PodSecurityContext wanted) {
        PodSecurityContextBuilder builder =
                wanted == null ? new PodSecurityContextBuilder() : new PodSecurityContextBuilder(wanted);
        if (builder.getRunAsNonRoot() == null) {
            builder.withRunAsNonRoot(true);
        }
        if (!builder.hasSeccompProfile()) {
            builder.withNewSeccompProfile().withType("RuntimeDefault").endSeccompProfile();
        }
        return builder.build();
    }

    private static SecurityContext security(@Nullable SecurityContext wanted) {
        SecurityContextBuilder builder =
                wanted == null ? new SecurityContextBuilder() : new SecurityContextBuilder(wanted);
        if (builder.getAllowPrivilegeEscalation() == null) {
            builder.withAllowPrivilegeEscalation(false);
        }
        if (builder.getReadOnlyRootFilesystem() == null) {
            builder.withReadOnlyRootFilesystem(true);
        }
        if (!builder.hasCapabilities()) {
            builder.withNewCapabilities().withDrop("ALL").endCapabilities();
        }
        return builder.build();
    }

    /** Rather on different hosts: a host that goes then takes the active pod or its standby, not both. */
    private Affinity affinity(@Nullable Affinity wanted) {
        return wanted == null
                ? new AffinityBuilder()
                        .withNewPodAntiAffinity()
                        .addNewPreferredDuringSchedulingIgnoredDuringExecution()
                        .withWeight(100)
                        .withNewPodAffinityTerm()
                        .withTopologyKey("kubernetes.io/hostname")
                        .withNewLabelSelector()
                        .withMatchLabels(names.selector())
                        .endLabelSelector()
                        .endPodAffinityTerm()
                        .endPreferredDuringSchedulingIgnoredDuringExecution()
                        .endPodAntiAffinity()
                        .build()
                : wanted;
    }

    private List<TopologySpreadConstraint> spread(@Nullable List<TopologySpreadConstraint> wanted) {
        return wanted == null
                ? List.of(new TopologySpreadConstraintBuilder()
                        .withTopologyKey("topology.kubernetes.io/zone")
                        .withMaxSkew(1)
                        .withWhenUnsatisfiable("ScheduleAnyway")
                        .withNewLabelSelector()
                        .withMatchLabels(names.selector())
                        .endLabelSelector()
                        .build())
                : wanted;
    }
}
