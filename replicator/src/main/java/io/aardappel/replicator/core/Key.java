package io.aardappel.replicator.core;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A primary key by its typed values, in key order. Two keys are equal exactly when the destination would take them for
 * one row; what makes the parts and how they compare is the codec's affair. A null part is a NULL key column. Immutable:
 * the array given must not be changed afterwards.
 */
public final class Key {
    /** How keys are spelled for people and for other programs. Thread-safe; never throws. */
    @FunctionalInterface
    public interface Spelling {
        String of(Key key);
    }

    private static final Spelling PLAIN = key -> Arrays.toString(key.parts);

    private final @Nullable Object[] parts;
    private final int hash;
    private final Spelling spelling;

    /** One that is spelled by what its parts are as text. */
    public Key(@Nullable Object... parts) {
        this(PLAIN, parts);
    }

    private Key(Spelling spelling, @Nullable Object[] parts) {
        this.parts = parts;
        this.hash = Arrays.hashCode(parts);
        this.spelling = spelling;
    }

    /** One that is spelled as its feed spells it. */
    public static Key spelled(Spelling spelling, @Nullable Object[] parts) {
        return new Key(spelling, parts);
    }

    public int size() {
        return parts.length;
    }

    public @Nullable Object part(int index) {
        return parts[index];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Key key && hash == key.hash && Arrays.equals(parts, key.parts);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return spelling.of(this);
    }
}
