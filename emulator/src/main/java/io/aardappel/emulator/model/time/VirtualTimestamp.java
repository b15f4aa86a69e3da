package io.aardappel.emulator.model.time;

/** When a commit took place: coordinator step in milliseconds and transaction id, both unsigned, ordered in that order. */
public record VirtualTimestamp(long step, long txId) implements Comparable<VirtualTimestamp> {
    public static final VirtualTimestamp ZERO = new VirtualTimestamp(0, 0);

    @Override
    public int compareTo(VirtualTimestamp other) {
        int byStep = Long.compareUnsigned(step, other.step);
        return byStep != 0 ? byStep : Long.compareUnsigned(txId, other.txId);
    }
}
