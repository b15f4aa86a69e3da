package io.aardappel.replicator.ydb.target;

import java.time.Duration;

/**
 * Bounds the destination half runs by. All durations are positive.
 *
 * @param lockTtl how long a taken or renewed lock lasts: two times the longest expected heartbeat interval
 * @param callTimeout of one call that carries no rows: lock, load, a transaction's first read
 * @param commitTimeout of a batch's transaction as a whole, from its first call to the answer of its commit
 * @param resolveTimeout how long the outcome of a commit that was not answered is asked for before the term is given up
 * @param pauseMin first pause between tries of the same call
 * @param pauseMax longest pause between tries of the same call
 * @param callTries how often a call of the lock or of loading is tried when the server says that it may be
 * @param callTextBytes longest text of one call, in bytes of UTF-8
 * @param callParameterBytes most that the parameters of one call may come to, in bytes as they travel
 * @param returnedRows most rows that one statement may give back without being cut short by the server
 */
public record TargetSettings(
        Duration lockTtl,
        Duration callTimeout,
        Duration commitTimeout,
        Duration resolveTimeout,
        Duration pauseMin,
        Duration pauseMax,
        int callTries,
        int callTextBytes,
        int callParameterBytes,
        int returnedRows) {

    /** Defaults for everything but the lock's life. */
    public static TargetSettings of(Duration lockTtl) {
        return new TargetSettings(
                lockTtl,
                Duration.ofSeconds(3),
                Duration.ofSeconds(5),
                lockTtl.compareTo(Duration.ofSeconds(15)) > 0 ? lockTtl : Duration.ofSeconds(15),
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                4,
                10_000,
                40 << 20,
                1_000);
    }
}
