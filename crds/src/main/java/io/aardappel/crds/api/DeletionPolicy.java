package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of the state row when its resource is deleted. */
public enum DeletionPolicy {
    /** It stays; a resource of the same instance goes on from it. */
    @JsonProperty("Retain")
    RETAIN,
    /** It is removed once all pods have stopped. */
    @JsonProperty("Delete")
    DELETE
}
