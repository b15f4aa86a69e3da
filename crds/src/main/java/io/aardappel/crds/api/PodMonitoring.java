package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A PodMonitor of the Prometheus operator. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodMonitoring(
        @JsonPropertyDescription("How often metrics are fetched. Default: what Prometheus has.")
        @Size(min = 2, max = 16)
        @ValidationRule(
                value = "self.matches('^([0-9]{1,5}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?$')"
                        + " && duration(self) >= duration('1s')",
                message = "must be whole seconds, minutes or hours from 1s on, such as 30s")
        @Nullable
        String interval,

        @JsonPropertyDescription("Labels by which a Prometheus chooses it.") @Nullable
        Map<String, String> labels) {}
