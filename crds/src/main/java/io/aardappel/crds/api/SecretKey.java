package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** One value of a Secret in the resource's own namespace. */
public record SecretKey(
        @JsonPropertyDescription("Name of the Secret, in the namespace of this resource.")
        @Required
        @Size(min = 1, max = 253)
        @ValidationRule(value = NameRules.OBJECT, message = NameRules.OBJECT_MESSAGE)
        String name,

        @JsonPropertyDescription("Key within the Secret.")
        @Required
        @Size(min = 1, max = 253)
        @ValidationRule(value = NameRules.KEY, message = NameRules.KEY_MESSAGE)
        String key) {}
