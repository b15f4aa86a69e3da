package io.aardappel.operator.state;

import io.aardappel.access.ydb.StatusText;
import tech.ydb.core.Status;

/** A call that the destination did not carry out as far as is known; the message is its answer in words. */
final class CallFailedException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final String ACCESS_DENIED = "AccessDenied";
    private static final String ACCESS_REMEDY =
            ". Check the credentials of the destination, and that their account may read and write the tables there";

    private final boolean passing;

    CallFailedException(Status status) {
        super(isAboutAccess(status) ? StatusText.of(status) + ACCESS_REMEDY : StatusText.of(status), status.getCause());
        this.passing = isPassing(status);
    }

    private CallFailedException(String message) {
        super(message);
        this.passing = true;
    }

    /** One that another try may get past. */
    static CallFailedException passing(String why) {
        return new CallFailedException(why);
    }

    /** Whether another try may go better. Whether this one was carried out is then found out by reading. */
    boolean isPassing() {
        return passing;
    }

    private static boolean isPassing(Status status) {
        return switch (status.getCode()) {
            case BAD_REQUEST,
                    SCHEME_ERROR,
                    GENERIC_ERROR,
                    PRECONDITION_FAILED,
                    ALREADY_EXISTS,
                    UNSUPPORTED,
                    CLIENT_CALL_UNIMPLEMENTED -> false;
            default -> !isAboutAccess(status);
        };
    }

    /** A missing right comes as ABORTED too, as a conflict does; the difference is in the words alone. */
    private static boolean isAboutAccess(Status status) {
        return switch (status.getCode()) {
            case UNAUTHORIZED, CLIENT_UNAUTHENTICATED -> true;
            case ABORTED -> StatusText.of(status).contains(ACCESS_DENIED);
            default -> false;
        };
    }
}
