package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Topic that records which are left out are written to. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterQueue(
        @JsonPropertyDescription("Path of the topic in the destination.")
        @Required
        @Size(min = 1, max = 1024)
        @ValidationRule(value = NameRules.PATH, message = "write the path of a topic " + NameRules.PATH_MESSAGE)
        String topic,

        @JsonPropertyDescription("Text is what the Go program writes; Json carries column values and can be replayed."
                + " Default: Text.")
        @Nullable
        DeadLetterFormat format) {}
