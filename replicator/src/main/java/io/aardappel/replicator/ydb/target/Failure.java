package io.aardappel.replicator.ydb.target;

import java.util.stream.Collectors;
import tech.ydb.core.Issue;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;

/** What a call's failure means for the transaction it belongs to. */
public enum Failure {
    /** Certainly not done; it may go better next time. */
    TRANSIENT,
    /** May have been done, or may yet be done. */
    UNKNOWN,
    /** Certainly not done, and it will go the same way next time. */
    PERMANENT;

    /** For a call that commits. A call that commits nothing is never {@link #UNKNOWN}: see {@link #ofRead}. */
    static Failure ofCommit(StatusCode code) {
        return switch (code) {
            case ABORTED, OVERLOADED, BAD_SESSION, SESSION_BUSY, NOT_FOUND, CLIENT_DEADLINE_EXPIRED -> TRANSIENT;
            case UNAUTHORIZED, CLIENT_UNAUTHENTICATED, CLIENT_DISCOVERY_FAILED, CLIENT_LIMITS_REACHED -> TRANSIENT;
            case BAD_REQUEST,
                    SCHEME_ERROR,
                    GENERIC_ERROR,
                    PRECONDITION_FAILED,
                    ALREADY_EXISTS,
                    UNSUPPORTED,
                    CLIENT_CALL_UNIMPLEMENTED -> PERMANENT;
            // UNAVAILABLE among them: asking costs one small transaction, believing could cost a transaction
            default -> UNKNOWN;
        };
    }

    /** Whether one value among many can be the reason for it. */
    static boolean mayBeForAValue(StatusCode code) {
        return switch (code) {
            case BAD_REQUEST, PRECONDITION_FAILED, GENERIC_ERROR -> true;
            default -> false;
        };
    }

    static Failure ofRead(StatusCode code) {
        Failure failure = ofCommit(code);
        return failure == UNKNOWN ? TRANSIENT : failure;
    }

    /** Whether the session that gave this answer may still be busy or gone. */
    static boolean spoilsSession(StatusCode code) {
        return switch (code) {
            case SUCCESS,
                    ABORTED,
                    OVERLOADED,
                    BAD_REQUEST,
                    SCHEME_ERROR,
                    GENERIC_ERROR,
                    PRECONDITION_FAILED,
                    ALREADY_EXISTS,
                    NOT_FOUND,
                    UNSUPPORTED -> false;
            default -> true;
        };
    }

    static boolean isTimeout(StatusCode code) {
        return switch (code) {
            case TIMEOUT, CANCELLED, CLIENT_DEADLINE_EXCEEDED, CLIENT_DEADLINE_EXPIRED -> true;
            default -> false;
        };
    }

    /** A short word for metrics. */
    static String cause(StatusCode code) {
        return isTimeout(code) ? "TIMEOUT" : code.name();
    }

    /** The server's answer in words. */
    public static String words(Status status) {
        StringBuilder words = new StringBuilder(status.getCode().name());
        for (Issue issue : status.getIssues()) {
            append(words, issue);
        }
        return words.toString();
    }

    private static void append(StringBuilder words, Issue issue) {
        String message = issue.getMessage();
        if (message != null && !message.isBlank()) {
            words.append(": ").append(message.lines().collect(Collectors.joining(" ")));
        }
        for (Issue nested : issue.getIssues()) {
            append(words, nested);
        }
    }
}
