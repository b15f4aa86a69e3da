package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One value of a Secret in the resource's own namespace. */
public record SecretKey(
        @JsonPropertyDescription("Name of the Secret, in the namespace of this resource.")
        @Required
        @Size(min = 1, max = 253)
        String name,

        @JsonPropertyDescription("Key within the Secret.") @Required @Size(min = 1, max = 253)
        String key) {}
