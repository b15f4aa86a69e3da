package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Bounds of memory and of transactions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limits(
        @JsonPropertyDescription(
                "Changes held in memory at most; reading pauses above it. 1Mi to 64Gi. At most half of the"
                        + " Java heap, which is 60 % of the container's memory limit. Default: a quarter of the heap.")
        @Size(min = 1, max = 20)
        @ValidationRule(
                value = "isQuantity(self) && quantity(self).compareTo(quantity('1Mi')) >= 0"
                        + " && quantity(self).compareTo(quantity('64Gi')) <= 0",
                message = "must be a size from 1Mi to 64Gi, such as 256Mi")
        @Nullable
        String memory,

        @JsonPropertyDescription("Changes a transaction aims at; a backlog is cut there. Default: 10000.")
        @Min(1)
        @Max(1_000_000)
        @Nullable
        Integer transactionRows,

        @JsonPropertyDescription("Bytes a transaction aims at; a backlog is cut there. 1Ki to 1Gi. Default: 8Mi.")
        @Size(min = 1, max = 20)
        @ValidationRule(
                value = "isQuantity(self) && quantity(self).compareTo(quantity('1Ki')) >= 0"
                        + " && quantity(self).compareTo(quantity('1Gi')) <= 0",
                message = "must be a size from 1Ki to 1Gi, such as 8Mi")
        @Nullable
        String transactionBytes) {}
