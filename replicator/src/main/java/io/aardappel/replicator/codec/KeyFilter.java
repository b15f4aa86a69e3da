package io.aardappel.replicator.codec;

/** Which rows of one stream are left out. Thread-safe; what it answers may change between two calls. */
public interface KeyFilter {
    /** Leaves out nothing. */
    KeyFilter NONE = message -> false;

    /** Whether the message is about a row that is left out. */
    boolean drops(byte[] message);
}
