package io.aardappel.replicator.ydb.topics;

import io.aardappel.replicator.core.StreamSpec;
import tech.ydb.core.StatusCode;

/** What a status of the source's server means for a stream. */
final class Refusal {
    private static final String RETRIED = "It is tried again by itself; look at the source's health if it goes on";

    private Refusal() {}

    /** Whether the same request will be answered the same way until a person does something. */
    static boolean isLasting(StatusCode code) {
        return switch (code) {
            case SCHEME_ERROR,
                    UNAUTHORIZED,
                    BAD_REQUEST,
                    NOT_FOUND,
                    UNSUPPORTED,
                    PRECONDITION_FAILED,
                    CLIENT_UNAUTHENTICATED,
                    CLIENT_CALL_UNIMPLEMENTED -> true;
            default -> false;
        };
    }

    static String remedy(StatusCode code, StreamSpec stream) {
        return switch (code) {
            case SCHEME_ERROR ->
                "Check that " + stream.topic()
                        + " exists in the source and that the reader may read it; a feed that is made anew has no past, so"
                        + " that its stream must be brought in anew";
            case UNAUTHORIZED, CLIENT_UNAUTHENTICATED ->
                "Check the source's token, and its rights on " + stream.topic();
            case BAD_REQUEST, NOT_FOUND, PRECONDITION_FAILED ->
                "Check that consumer " + stream.consumer() + " exists: ALTER TOPIC `" + stream.topic()
                        + "` ADD CONSUMER `" + stream.consumer() + "`";
            case UNSUPPORTED, CLIENT_CALL_UNIMPLEMENTED ->
                "The source's server does not offer this; check that the connection string names a YDB";
            default -> RETRIED;
        };
    }
}
