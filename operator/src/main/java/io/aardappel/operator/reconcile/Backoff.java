package io.aardappel.operator.reconcile;

import io.javaoperatorsdk.operator.processing.retry.Retry;
import io.javaoperatorsdk.operator.processing.retry.RetryExecution;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Tries again without end: after about the first time, then after twice as long each time, up to a longest one. Each
 * wait is drawn from between half of it and all of it, or resources that failed together would come back together.
 * Thread-safe if its generator is.
 */
final class Backoff implements Retry {
    private static final int DOUBLINGS_MAX = 30;

    private final long first;
    private final long longest;
    private final RandomGenerator random;

    Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first.toMillis();
        this.longest = longest.toMillis();
        this.random = random;
    }

    @Override
    public RetryExecution initExecution() {
        return new Failures();
    }

    /** Of one resource in a row. Used by one thread at a time. */
    private final class Failures implements RetryExecution {
        private int count;

        @Override
        public Optional<Long> nextDelay() {
            long whole = Math.min(longest, first << Math.min(count, DOUBLINGS_MAX));
            count++;
            return Optional.of(whole - random.nextLong(whole / 2 + 1));
        }

        @Override
        public int getAttemptCount() {
            return count;
        }

        @Override
        public boolean isLastAttempt() {
            return false;
        }
    }
}
