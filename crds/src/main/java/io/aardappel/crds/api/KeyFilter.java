package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Table that names rows which are left out. */
public record KeyFilter(
        @JsonPropertyDescription("Path of the table in the destination.") @Required @Size(min = 1, max = 1024)
        String table) {}
