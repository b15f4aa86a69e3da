package io.aardappel.e2e.snapshot;

/** A replicator that nobody asked to stop ended by itself, and left no wrong replica behind. */
final class ReplicatorEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReplicatorEndedException(int exitCode) {
        super("a replicator ended by itself with code " + exitCode);
    }

    private ReplicatorEndedException(String message) {
        super(message);
    }

    /** The same with more to read. */
    ReplicatorEndedException with(String more) {
        ReplicatorEndedException longer = new ReplicatorEndedException(getMessage() + more);
        longer.setStackTrace(getStackTrace());
        return longer;
    }
}
