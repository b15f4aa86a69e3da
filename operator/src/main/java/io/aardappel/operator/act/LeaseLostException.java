package io.aardappel.operator.act;

/** The lease was not renewed in time: another operator may act by now, and this one writes nothing any more. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LeaseLostException(String message) {
        super(message);
    }
}
