package io.aardappel.replicator.core;

/** What all lanes hold together. Not thread-safe. */
final class Buffered {
    private long bytes;
    private long changes;

    void add(long size, int count) {
        bytes += size;
        changes += count;
    }

    long bytes() {
        return bytes;
    }

    /** Changes read and not applied. */
    long changes() {
        return changes;
    }
}
