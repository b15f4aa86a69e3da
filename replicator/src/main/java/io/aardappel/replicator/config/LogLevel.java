package io.aardappel.replicator.config;

/** How much is logged. The Go program's three levels above error are read as error: nothing is logged above it here. */
public enum LogLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR
}
