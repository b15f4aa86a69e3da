package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodDNSConfig;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pods have beside what the operator gives them. Members of Kubernetes' own types are checked by the API server
 * when the Deployment is made; its answer stands in the condition Configured. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodTemplate(
        @JsonPropertyDescription("Labels of the pods, beside those of the operator, which win.") @Nullable
        Map<String, String> labels,

        @JsonPropertyDescription("Annotations of the pods, beside those of the operator, which win.") @Nullable
        Map<String, String> annotations,

        @JsonPropertyDescription("What belongs to the pod as a whole.") @Nullable
        Pod pod,

        @JsonPropertyDescription("What belongs to the replicator's container.") @Nullable
        Container container) {

    /** What belongs to the pod as a whole. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Pod(
            @JsonPropertyDescription(
                    "Service account of the pods. Default: one that the operator makes, without rights.")
            @Size(min = 1, max = 253)
            @ValidationRule(value = NameRules.OBJECT, message = NameRules.OBJECT_MESSAGE)
            @Nullable
            String serviceAccountName,

            @JsonPropertyDescription("Secrets for pulling the image.") @Size(max = 16) @Nullable
            List<LocalObjectReference> imagePullSecrets,

            @JsonPropertyDescription("Labels that a node must have.") @Nullable
            Map<String, String> nodeSelector,

            @JsonPropertyDescription("As in a pod. Default: pods rather on different hosts.") @Nullable
            Affinity affinity,

            @JsonPropertyDescription("As in a pod.") @Size(max = 64) @Nullable
            List<Toleration> tolerations,

            @JsonPropertyDescription("As in a pod. Default: spread over zones where possible.")
            @Size(max = 16)
            @Nullable
            List<TopologySpreadConstraint> topologySpreadConstraints,

            @JsonPropertyDescription("As in a pod.")
            @Size(min = 1, max = 253)
            @ValidationRule(value = NameRules.OBJECT, message = NameRules.OBJECT_MESSAGE)
            @Nullable
            String priorityClassName,

            @JsonPropertyDescription("As in a pod, over what the restricted pod security standard asks for.") @Nullable
            PodSecurityContext securityContext,

            @JsonPropertyDescription("Further volumes.") @Size(max = 64) @Nullable
            List<Volume> volumes,

            @JsonPropertyDescription("Seconds that a stop may take before it is forced. Default: 30.")
            @Min(1)
            @Max(3_600)
            @Nullable
            Integer terminationGracePeriodSeconds,

            @JsonPropertyDescription("Further lines of /etc/hosts.") @Size(max = 64) @Nullable
            List<HostAlias> hostAliases,

            @JsonPropertyDescription("As in a pod.") @Nullable
            PodDNSConfig dnsConfig) {}

    /** What belongs to the replicator's container. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Container(
            @JsonPropertyDescription("Requests and limits. The Java heap is 60 % of the memory limit."
                    + " Default: requests of 250m and 512Mi, a memory limit of 1Gi.")
            @Nullable
            ResourceRequirements resources,

            @JsonPropertyDescription("Further variables of the environment, such as HTTPS_PROXY. Options of the"
                    + " JVM go into JDK_JAVA_OPTIONS and win over those of the image.")
            @Size(max = 64)
            @Nullable
            List<EnvVar> env,

            @JsonPropertyDescription("Where further volumes are mounted.") @Size(max = 64) @Nullable
            List<VolumeMount> volumeMounts,

            @JsonPropertyDescription("As in a container, over what the restricted pod security standard asks for.")
            @Nullable
            SecurityContext securityContext) {}
}
