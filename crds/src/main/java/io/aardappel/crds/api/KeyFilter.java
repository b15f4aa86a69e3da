package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Table that names rows which are left out. */
public record KeyFilter(
        @JsonPropertyDescription("Path of the table in the destination.")
        @Required
        @Size(min = 1, max = 1024)
        @ValidationRule(value = NameRules.PATH, message = "write the path of a table " + NameRules.PATH_MESSAGE)
        String table) {}
