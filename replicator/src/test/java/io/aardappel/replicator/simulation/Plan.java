package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.TransactionBounds;
import java.util.Random;

/**
 * What one schedule is about, drawn from its seed.
 *
 * @param streams in the configuration at first; one more has a topic from the start and may be added
 * @param shared whether they all write one table
 * @param partitions of each topic at first
 * @param scanned whether the changefeeds begin with an initial scan
 * @param stage that the state row says at first
 * @param scanPace a scanned row is sent for every that many changes
 * @param barrierMillis between two barriers of a partition
 * @param writeMillis between two transactions of the source
 * @param refusals probability that a request to the destination is refused, lost or late
 * @param crashes whether processes are killed, frozen and asked to stop
 * @param crashPerCall probability that a process ends at a call that it makes
 * @param lateRecords whether records come late, and some that do not fit
 * @param foreigners whether another program takes the lock and moves the checkpoint on
 * @param hands whether a person takes the lock away, or sets the checkpoint back
 * @param drift whether processes are started with other configurations
 * @param rare what few schedules are about beside all that
 * @param busyMillis until everybody calms down
 */
record Plan(
        int streams,
        boolean shared,
        int partitions,
        int keys,
        boolean scanned,
        Stage stage,
        int scanPace,
        int barrierMillis,
        int writeMillis,
        double refusals,
        boolean crashes,
        double crashPerCall,
        boolean reshapes,
        boolean lateRecords,
        boolean foreigners,
        boolean hands,
        boolean drift,
        long memory,
        TransactionBounds bounds,
        Rare rare,
        int busyMillis) {
    /**
     * Drawn by numbers of its own, so that a schedule which has none of it is the one that its seed always gave.
     *
     * @param forgets whether topics forget records, read or not
     * @param unwanted probability that the destination refuses what a change writes
     * @param hardRows how many changes a transaction may have at most
     * @param blocks whether a person blocks keys and lets them through again
     * @param moves probability that somebody commits for the consumer just before a session begins
     */
    record Rare(boolean forgets, double unwanted, int hardRows, boolean blocks, double moves) {
        static final Rare NOTHING = new Rare(false, 0, 10_000, false, 0);

        private static Rare of(Random random) {
            boolean forgets = random.nextInt(12) == 0;
            boolean refuses = random.nextInt(6) == 0;
            boolean small = random.nextInt(8) == 0;
            boolean blocks = random.nextInt(8) == 0;
            boolean moves = !forgets && random.nextInt(6) == 0;
            return new Rare(
                    forgets,
                    refuses ? 0.01 + random.nextDouble() * 0.04 : 0,
                    small ? 1 + random.nextInt(4) : NOTHING.hardRows(),
                    blocks,
                    moves ? 0.02 + random.nextDouble() * 0.1 : 0);
        }
    }

    static final long INTERVAL_MILLIS = 1_000;
    static final long TTL_MILLIS = 2 * INTERVAL_MILLIS;
    private static final long ROOMY = 1L << 30;

    /**
     * @param random of the schedule
     * @param apart for what is rare
     */
    static Plan of(Random random, Random apart) {
        int streams = 1 + random.nextInt(3);
        boolean scanned = random.nextBoolean();
        boolean shared = !scanned && random.nextInt(3) == 0;
        Stage stage = shared || !scanned && random.nextBoolean() ? Stage.RUN : Stage.INITIAL_SCAN;
        boolean quiet = random.nextInt(4) == 0;
        boolean late = random.nextInt(2) == 0;
        boolean others = !late && random.nextBoolean();
        boolean crashes = random.nextInt(3) > 0;
        int target = 1 + random.nextInt(60);
        // after another program applied what we leave out nobody could say what is right
        Rare rare = others ? Rare.NOTHING : Rare.of(apart);
        return new Plan(
                streams,
                shared,
                1 + random.nextInt(3),
                4 + random.nextInt(20),
                scanned,
                stage,
                1 + random.nextInt(quiet ? 30 : 4),
                random.nextInt(4) == 0 ? 4_000 : 200,
                quiet ? 250 : 30,
                random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.3,
                crashes,
                crashes && random.nextBoolean() ? random.nextDouble() * 0.01 : 0,
                random.nextBoolean(),
                late,
                others,
                !late && random.nextInt(3) == 0,
                !shared && random.nextInt(3) == 0,
                random.nextInt(3) == 0 ? 8_000 + random.nextInt(30_000) : ROOMY,
                new TransactionBounds(Math.min(target, rare.hardRows()), 100L * target, rare.hardRows(), 10_000_000),
                rare,
                4_000 + random.nextInt(8_000));
    }
}
