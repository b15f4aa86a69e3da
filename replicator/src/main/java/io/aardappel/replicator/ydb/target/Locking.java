package io.aardappel.replicator.ydb.target;

import io.aardappel.replicator.core.SavedState;

/** Whether a person's act had the instance's lock. A closed set. */
public sealed interface Locking {
    /** The lock is held until it is released; this is the state as it is. */
    record Held(SavedState state) implements Locking {}

    /** Another process held it the whole time. */
    record Busy(String owner) implements Locking {}

    /** The lock or the rows under it could not be had; the text says why. */
    record Failed(String why) implements Locking {}
}
