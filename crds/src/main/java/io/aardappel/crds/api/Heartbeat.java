package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What is expected of the changefeeds' heartbeats. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Heartbeat(
        @JsonPropertyDescription(
                "H, the longest a partition may go without a heartbeat; more than RESOLVED_TIMESTAMPS of"
                        + " the changefeeds, 1s to 24h. The lock lives 2 H. Default: 10s.")
        @Size(min = 2, max = 16)
        @ValidationRule(
                value = "self.matches('^([0-9]{1,5}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?$')"
                        + " && duration(self) >= duration('1s') && duration(self) <= duration('24h')",
                message = "must be whole seconds, minutes or hours from 1s to 24h, such as 10s or 1m30s")
        @Nullable
        String maxExpectedInterval) {}
