package io.aardappel.replicator.engine;

/** Where the engine's time comes from. Thread-safe. */
public interface Ticker {
    /** Monotonic nanoseconds; only differences mean anything. */
    long nanos();

    /** Milliseconds since the epoch by this machine's clock: for display and lag, never for safety. */
    long wallMillis();

    /** The machine's clocks. */
    static Ticker system() {
        return new Ticker() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
    }
}
