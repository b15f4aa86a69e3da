package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Least level of log lines that are written. */
public enum LogLevel {
    /** For finding a fault. */
    @JsonProperty("Debug")
    DEBUG,
    /** Each transition. */
    @JsonProperty("Info")
    INFO,
    /** What a person should look at. */
    @JsonProperty("Warn")
    WARN,
    /** What stopped something. */
    @JsonProperty("Error")
    ERROR
}
