package io.aardappel.emulator.model.value;

/**
 * A Uuid by the two halves of YDB's wire form: {@code low} = time_low | time_mid &lt;&lt; 32 | time_hi &lt;&lt; 48,
 * {@code high} = the last eight bytes read little-endian. Ordered as YDB orders keys: by the 16 bytes as stored.
 */
public record Uuid(long low, long high) implements Comparable<Uuid> {
    @Override
    public int compareTo(Uuid other) {
        int byLow = Long.compareUnsigned(Long.reverseBytes(low), Long.reverseBytes(other.low));
        return byLow != 0 ? byLow : Long.compareUnsigned(Long.reverseBytes(high), Long.reverseBytes(other.high));
    }
}
