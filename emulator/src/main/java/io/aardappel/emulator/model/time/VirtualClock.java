package io.aardappel.emulator.model.time;

import java.util.function.LongSupplier;

/**
 * The coordinator of one database: hands out commit timestamps that never decrease and says up to which step no further
 * commit can come. Not thread-safe: the database's lock guards it.
 */
public final class VirtualClock {
    /** The id of immediate writes: several may share one (step, IMMEDIATE) pair. */
    public static final long IMMEDIATE = -1L;

    /** How far immediate writes may drag the steps ahead of the wall clock before they get ids of their own. */
    private static final long AHEAD_MILLIS_MAX = 20;

    private final LongSupplier wallMillis;
    private long offset;
    private long resolution = 1;
    private long step;
    private long lastTxId;
    private long nextTxId;

    /**
     * @param wallMillis milliseconds since the epoch; may stand still or go back, the steps then do not move
     * @param firstTxId ids of planned transactions rise from here
     */
    public VirtualClock(LongSupplier wallMillis, long firstTxId) {
        this.wallMillis = wallMillis;
        this.nextTxId = firstTxId;
    }

    public VirtualClock(LongSupplier wallMillis) {
        this(wallMillis, 281_474_976_710_657L);
    }

    /** The wall clock with all jumps, in milliseconds since the epoch. */
    public long wallMillis() {
        return wallMillis.getAsLong() + offset;
    }

    /** From now on every commit gets a step at or above this. */
    public long now() {
        long wall = Math.floorDiv(wallMillis(), resolution) * resolution;
        if (wall > step) {
            step = wall;
            lastTxId = 0;
        }
        return step;
    }

    /** The timestamp of the latest commit; a snapshot taken now contains all up to it. */
    public VirtualTimestamp last() {
        return new VirtualTimestamp(step, lastTxId);
    }

    /** A pair of its own, above all before. For transactions over several shards, snapshots of scans, schema changes. */
    public VirtualTimestamp planned() {
        now();
        if (lastTxId == IMMEDIATE) {
            step++;
        }
        lastTxId = nextTxId++;
        return new VirtualTimestamp(step, lastTxId);
    }

    /** For writes into a single shard: at or above all before; several of one step share the pair (step, 2^64 - 1). */
    public VirtualTimestamp immediate() {
        now();
        // Each planned commit after an immediate one needs a new step; without this bound a fast mix would outrun the
        // wall.
        boolean drifting = step - wallMillis() > AHEAD_MILLIS_MAX && lastTxId != IMMEDIATE;
        lastTxId = drifting ? nextTxId++ : IMMEDIATE;
        return new VirtualTimestamp(step, lastTxId);
    }

    /** Steps become multiples of this many milliseconds: more immediate writes share a pair. */
    public void setResolution(long millis) {
        if (millis < 1) {
            throw new IllegalArgumentException("resolution must be at least 1 ms, was " + millis);
        }
        resolution = millis;
    }

    /** The clock jumps; a jump back makes the steps stand still until the wall has caught up. */
    public void jump(long millis) {
        offset += millis;
    }
}
