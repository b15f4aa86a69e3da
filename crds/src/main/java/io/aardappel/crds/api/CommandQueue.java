package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Topic by which people decide about records that do not fit. */
public record CommandQueue(
        @JsonPropertyDescription("Path of the topic in the destination.") @Required @Size(min = 1, max = 1024)
        String topic,

        @JsonPropertyDescription("Consumer of that topic, used by this replication alone.")
        @Required
        @Size(min = 1, max = 256)
        String consumer) {}
