package io.aardappel.emulator.model.value;

import java.util.Arrays;

/** Immutable bytes, ordered as unsigned. The array given must not be changed afterwards. */
public record Bytes(byte[] array) implements Comparable<Bytes> {
    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(array, other.array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    @Override
    public String toString() {
        return java.util.HexFormat.of().formatHex(array);
    }
}
