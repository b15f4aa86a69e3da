package io.aardappel.replicator.ydb.preflight;

import io.aardappel.replicator.core.Problem;

/**
 * One thing that was found before the start.
 *
 * @param object what it is about, by its path
 * @param what is wrong with it
 * @param remedy what to do about it
 */
public record Finding(Severity severity, String object, String what, String remedy) {
    /** What a finding means for the start. */
    public enum Severity {
        /** Replication would fail or the replica would be wrong: do not start. */
        ERROR,
        /** The check could not be made because a database does not answer: try again. */
        UNREACHABLE,
        /** Start, but somebody should know. */
        WARNING
    }

    static Finding error(String object, String what, String remedy) {
        return new Finding(Severity.ERROR, object, what, remedy);
    }

    static Finding warning(String object, String what, String remedy) {
        return new Finding(Severity.WARNING, object, what, remedy);
    }

    static Finding unreachable(String object, String what) {
        return unreachable(object, what, "Check address, network and token");
    }

    static Finding unreachable(String object, String what, String remedy) {
        return new Finding(Severity.UNREACHABLE, object, what, remedy);
    }

    /** One line. */
    public String text() {
        return severity + " " + sentence();
    }

    /** One line without the severity. */
    public String sentence() {
        return object + ": " + Problem.sentences(what, remedy);
    }
}
