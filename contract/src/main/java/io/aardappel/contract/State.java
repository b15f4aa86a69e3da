package io.aardappel.contract;

/** Words of the state row's {@code state}, as they stand there. */
public enum State {
    OK,
    /** A problem that only a person can settle; programs stop and refuse to start until it is set to {@code OK}. */
    FATAL_ERROR
}
