package io.aardappel.operator.act;

/** A change in the destination that could not be made; its message tells a person what and why. */
public final class StateChangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StateChangeException(String message) {
        super(message);
    }

    /** What caused it is for a debugger alone: the message says all that a person needs. */
    public StateChangeException(String message, Throwable cause) {
        super(message, cause);
    }
}
