package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Topic by which people decide about records that do not fit. */
public record CommandQueue(
        @JsonPropertyDescription("Path of the topic in the destination.")
        @Required
        @Size(min = 1, max = 1024)
        @ValidationRule(value = NameRules.PATH, message = "write the path of a topic " + NameRules.PATH_MESSAGE)
        String topic,

        @JsonPropertyDescription("Consumer of that topic, used by this replication alone.")
        @Required
        @Size(min = 1, max = 256)
        @ValidationRule(value = NameRules.CONSUMER, message = NameRules.CONSUMER_MESSAGE)
        String consumer) {}
