package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to a record that comes late or does not fit. */
public enum ProblemStrategy {
    /** The replication stops with FATAL_ERROR. */
    @JsonProperty("Stop")
    STOP,
    /** The record is left out, counted, and written to the dead-letter queue where there is one. */
    @JsonProperty("Continue")
    CONTINUE
}
