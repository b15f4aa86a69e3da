package io.aardappel.replicator.core;

/** What a stream's row says about its membership. The names are what the row keeps, in lower case. */
public enum StreamState {
    /** The checkpoint speaks for this stream. */
    MEMBER,
    /** Being brought in beside the members. */
    JOINING,
    /** Its joining failed; the members go on. */
    FAILED,
    /** Taken out by an act of an operator. */
    REMOVED
}
