package io.aardappel.replicator.ydb.preflight;

import io.aardappel.access.ydb.StatusText;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;

/** What a failed description says about the object that was asked for. */
final class Refusals {
    private Refusals() {}

    /** The object is not there, or this user may not know that it is. */
    static boolean isAbsent(Status status) {
        return status.getCode() == StatusCode.SCHEME_ERROR || status.getCode() == StatusCode.NOT_FOUND;
    }

    static boolean isForbidden(Status status) {
        return status.getCode() == StatusCode.UNAUTHORIZED || status.getCode() == StatusCode.CLIENT_UNAUTHENTICATED;
    }

    /** Whether this is no answer of a server but of what lies between. */
    static boolean isNoAnswer(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE,
                    TRANSPORT_UNAVAILABLE,
                    CLIENT_DEADLINE_EXCEEDED,
                    CLIENT_DEADLINE_EXPIRED,
                    CLIENT_DISCOVERY_FAILED,
                    CLIENT_CANCELLED,
                    CLIENT_INTERNAL_ERROR -> true;
            default -> false;
        };
    }

    /** Whether the server will say the same again. A session that is gone, a conflict or too much load say nothing of the object. */
    static boolean isLasting(Status status) {
        return switch (status.getCode()) {
            case BAD_REQUEST, GENERIC_ERROR, PRECONDITION_FAILED, UNSUPPORTED, CLIENT_CALL_UNIMPLEMENTED -> true;
            default -> isAbsent(status) || isForbidden(status);
        };
    }

    static Finding of(String kind, String path, Status status, String remedy) {
        if (isAbsent(status)) {
            return Finding.error(path, kind + " does not exist, or may not be seen: " + StatusText.of(status), remedy);
        }
        if (isForbidden(status)) {
            return Finding.error(
                    path, kind + " may not be described: " + StatusText.of(status), "Grant the right to describe it");
        }
        return Finding.unreachable(path, kind + " could not be described: " + StatusText.of(status));
    }
}
