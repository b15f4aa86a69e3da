package io.aardappel.emulator.grpc.value;

/** A type or value of a request that means nothing to YDB. The message says what was wrong, not where: callers name the place. */
public final class InvalidValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
