package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a dead letter is written. */
public enum DeadLetterFormat {
    /** The Go program's text. */
    @JsonProperty("Text")
    TEXT,
    /** Position, reason and column values; can be replayed. */
    @JsonProperty("Json")
    JSON
}
