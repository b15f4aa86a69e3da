package io.aardappel.emulator.changefeed;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How a feed's records travel from shards to partitions: what a real cluster does to them at times, all of it legal. Nothing
 * is delayed at first. Thread-safe; a change holds for records that come after it. Failures that break promises are asked of
 * {@link io.aardappel.emulator.model.fault.Hazards} instead.
 */
public final class FeedKnobs {
    private static final long HELD = Long.MAX_VALUE;

    /** A random spread of delays. */
    private static final class Spread {
        private final SplittableRandom random;
        private final long maxMillis;
        private final double share;

        Spread(long seed, long maxMillis, double share) {
            this.random = new SplittableRandom(seed);
            this.maxMillis = maxMillis;
            this.share = share;
        }

        synchronized long next() {
            return random.nextDouble() < share ? random.nextLong(maxMillis + 1) : 0;
        }
    }

    private static final Spread NONE = new Spread(0, 0, 0);

    private final Map<Long, Long> shardDelays = new ConcurrentHashMap<>();
    private final Map<Integer, Long> partitionDelays = new ConcurrentHashMap<>();
    private volatile Spread shardSpread = NONE;
    private volatile Spread reorderSpread = NONE;
    private volatile int scanRowsPerTick = 500;
    private volatile int queueMax = 1_000_000;
    private final Map<Integer, Integer> barriersToSkip = new ConcurrentHashMap<>();

    /** Records and barriers of a shard arrive this much later, in order; other shards overtake it and barriers wait for it. */
    public void delayShard(long tabletId, long millis) {
        shardDelays.put(tabletId, millis);
    }

    /** Nothing of a shard arrives until {@link #delayShard} sets a delay again: no barrier can pass. */
    public void holdShard(long tabletId) {
        shardDelays.put(tabletId, HELD);
    }

    /** Each record waits in its shard for a random time up to this, in order within the shard. 0 ends it. */
    public void interleaveShards(long seed, long maxMillis) {
        shardSpread = maxMillis == 0 ? NONE : new Spread(seed, maxMillis, 1);
    }

    /**
     * A share of the records arrive in their partition up to so much later than others that were written after them, but
     * in order for each key and before the barrier that covers them: records between barriers are not sorted. 0 ends it.
     */
    public void reorderRecords(long seed, double share, long maxMillis) {
        reorderSpread = maxMillis == 0 ? NONE : new Spread(seed, maxMillis, share);
    }

    /** Everything arrives in a partition this much later, in order. */
    public void delayPartition(int partition, long millis) {
        partitionDelays.put(partition, millis);
    }

    /** Nothing arrives in a partition until {@link #delayPartition} sets a delay again. */
    public void silencePartition(int partition) {
        partitionDelays.put(partition, HELD);
    }

    /** The next barriers are left out in one partition; the one after them covers them. */
    public void skipBarriers(int partition, int count) {
        barriersToSkip.put(partition, count);
    }

    /** How many rows of each shard a scan looks at in one tick; 0 makes scans stand still. */
    public void setScanRowsPerTick(int rows) {
        scanRowsPerTick = rows;
    }

    /**
     * With so many records waiting in the shards and in front of the partitions, writes to the table are refused with OVERLOADED
     * and an initial scan stands still.
     */
    public void setQueueMax(int records) {
        queueMax = records;
    }

    int queueMax() {
        return queueMax;
    }

    int scanRowsPerTick() {
        return scanRowsPerTick;
    }

    boolean shardHeld(long tabletId) {
        return shardDelays.getOrDefault(tabletId, 0L) == HELD;
    }

    /** How long a record waits in its shard. */
    long shardDelay(long tabletId) {
        long fixed = shardDelays.getOrDefault(tabletId, 0L);
        return fixed == HELD ? 0 : fixed + shardSpread.next();
    }

    boolean partitionSilent(int partition) {
        return partitionDelays.getOrDefault(partition, 0L) == HELD;
    }

    long partitionDelay(int partition) {
        long delay = partitionDelays.getOrDefault(partition, 0L);
        return delay == HELD ? 0 : delay;
    }

    /** How long others may overtake a record in its partition. */
    long reorderDelay() {
        return reorderSpread.next();
    }

    boolean skipsBarrier(int partition) {
        Integer left = barriersToSkip.computeIfPresent(partition, (key, count) -> count > 0 ? count - 1 : null);
        return left != null;
    }
}
