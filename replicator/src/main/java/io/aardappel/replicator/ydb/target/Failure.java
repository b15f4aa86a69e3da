package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.TargetEvent;
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

    private static final String ACCESS_DENIED = "AccessDenied";
    private static final String ACCESS_REMEDY =
            "Check the destination's token, and that its account may read and write there; it is tried again by itself";

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

    /**
     * Whether a right is missing, or the ticket is not known. A server whose tables may be described, and not be read or
     * written, says ABORTED, as it does after a conflict; the difference is in its words alone.
     */
    static boolean isAccessDenied(Status status) {
        return switch (status.getCode()) {
            case UNAUTHORIZED, CLIENT_UNAUTHENTICATED -> true;
            case ABORTED -> StatusText.of(status).contains(ACCESS_DENIED);
            default -> false;
        };
    }

    /** A short word for metrics. */
    static String cause(Status status) {
        if (isAccessDenied(status)) {
            return "ACCESS_DENIED";
        }
        return isTimeout(status.getCode()) ? "TIMEOUT" : status.getCode().name();
    }

    /** The server's answer in words, and what to do about it where that is known. */
    static String told(Status status) {
        return isAccessDenied(status) ? Problem.sentences(StatusText.of(status), ACCESS_REMEDY) : StatusText.of(status);
    }

    /** Why what was asked of the target was not done, in words for a person. */
    static String words(TargetEvent failed) {
        if (failed instanceof TargetEvent.LockUnknown unknown) {
            return unknown.why();
        }
        if (failed instanceof TargetEvent.LockFatal fatal) {
            return fatal.problem().text();
        }
        if (failed instanceof TargetEvent.LoadRetryable retryable) {
            return retryable.why();
        }
        if (failed instanceof TargetEvent.LoadFatal fatal) {
            return fatal.problem().text();
        }
        if (failed instanceof TargetEvent.Retryable retryable) {
            return retryable.why();
        }
        if (failed instanceof TargetEvent.Fenced fenced) {
            return fenced.why();
        }
        if (failed instanceof TargetEvent.Refused refused) {
            return refused.problem().what();
        }
        if (failed instanceof TargetEvent.Outdated outdated) {
            return outdated.why();
        }
        throw new IllegalArgumentException("no failure: " + failed);
    }
}
