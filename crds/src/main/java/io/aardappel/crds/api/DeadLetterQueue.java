package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Topic that records which are left out are written to. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterQueue(
        @JsonPropertyDescription("Path of the topic in the destination.") @Required @Size(min = 1, max = 1024)
        String topic,

        @JsonPropertyDescription("Text is what the Go program writes; Json carries column values and can be replayed."
                + " Default: Text.")
        @Nullable
        DeadLetterFormat format) {}
