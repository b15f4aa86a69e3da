package io.aardappel.emulator.grpc;

/** Leaves a call without an answer, so that only the client's deadline ends it. Thrown by faults alone. */
final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswerException() {
        super("a fault wants this call to stay unanswered", null, false, false);
    }
}
