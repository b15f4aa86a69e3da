package io.aardappel.operator.act;

/** A change in the destination that could not be made; its message tells a person what and why. */
public final class StateChangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StateChangeException(String message) {
        super(message);
    }
}
