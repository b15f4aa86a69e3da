package io.aardappel.replicator.core;

/**
 * A point in the source's virtual time: coordinator step and transaction id, both unsigned 64-bit, ordered in that
 * order. Not a transaction's identity: several transactions may share one.
 */
public record Position(long step, long txId) implements Comparable<Position> {
    public static final Position ZERO = new Position(0, 0);

    @Override
    public int compareTo(Position other) {
        int byStep = Long.compareUnsigned(step, other.step);
        return byStep != 0 ? byStep : Long.compareUnsigned(txId, other.txId);
    }

    public boolean isBefore(Position other) {
        return compareTo(other) < 0;
    }

    /** The lowest position above this one. */
    public Position next() {
        return txId == -1 ? new Position(step + 1, 0) : new Position(step, txId + 1);
    }

    /** {@code [step,txId]} in unsigned decimal, as records carry it. */
    @Override
    public String toString() {
        return "[" + Long.toUnsignedString(step) + "," + Long.toUnsignedString(txId) + "]";
    }
}
