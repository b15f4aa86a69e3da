package io.aardappel.replicator.ydb.target;

/** What reading something for a person gave. A closed set. */
public sealed interface Answer<T> {
    record Read<T>(T value) implements Answer<T> {}

    /** The text says why. */
    record Unreadable<T>(String why) implements Answer<T> {}
}
