package io.aardappel.access.auth;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.auth.AuthIdentity;
import tech.ydb.auth.AuthRpcProvider;
import tech.ydb.core.impl.auth.GrpcAuthRpc;

/**
 * A ticket that is renewed in the background from half of its life on, and earlier when a server that took it takes it no
 * more. When renewal fails, or gives the same ticket that is taken no more, it is tried again without end, and calls carry the
 * old ticket meanwhile. Thread-safe.
 */
public final class RenewedTicket implements Ticket, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RenewedTicket.class);

    /**
     * @param endNanos when its life ends
     * @param inAnswer whether it was asked for because the one before was taken no more
     */
    private record Held(String ticket, long generation, long endNanos, boolean inAnswer) {}

    private final String name;
    private final Issuer issuer;
    private final RenewalPace pace;
    private final ScheduledExecutorService thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    private volatile @Nullable Held held;
    /** The highest generation that a server let in, 0 before the first. */
    private final AtomicLong accepted = new AtomicLong();

    private @Nullable ScheduledFuture<?> next;
    /** Asked for because the one that is held is taken no more. */
    private boolean hurried;
    /** The one that was asked for in a hurry was the same again. */
    private boolean same;

    private int failures;
    private long toldNanos;

    /** @param name whose ticket it is, for logs, such as {@code source} */
    public RenewedTicket(String name, Issuer issuer, RenewalPace pace) {
        this.name = name;
        this.issuer = issuer;
        this.pace = pace;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "ticket-" + name);
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Sees to it that there is a ticket; to be called before the first connection is opened. Waits for the first one, and
     * tries again what may pass by itself, within the pace's limits. By one thread at a time.
     *
     * @throws IssueException the last refusal
     */
    public void obtain() throws IssueException {
        long end = System.nanoTime() + pace.firstWithin().toNanos();
        for (int tries = 1; held == null; tries++) {
            try {
                install(ask(shorter(pace.requestWithin(), Duration.ofNanos(end - System.nanoTime()))), false);
            } catch (IssueException vain) {
                Duration pause = pace.pauseAfter(tries);
                if (!vain.isPassing() || System.nanoTime() + pause.toNanos() >= end || isClosedWithin(pause)) {
                    throw vain;
                }
            }
        }
    }

    /** On the thread of renewals, which {@link #close} interrupts. */
    private Issuer.Issued ask(Duration within) throws IssueException {
        try {
            return thread.submit(() -> issuer.issue(within)).get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IssueException vain) {
                throw vain;
            }
            throw new IllegalStateException("asking for the token of the " + name + " failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw IssueException.passing("interrupted", "Start again");
        } catch (RejectedExecutionException over) {
            throw IssueException.passing("stopping", "Start again");
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private boolean isClosedWithin(Duration pause) {
        try {
            return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** @param inAnswer whether it was known, when it was asked for, that the one before was taken no more */
    private synchronized void install(Issuer.Issued issued, boolean inAnswer) {
        Held before = held;
        long end = System.nanoTime() + issued.lifetime().toNanos();
        boolean unchanged = false;
        if (before != null && before.ticket().equals(issued.ticket())) {
            unchanged = true;
            held = new Held(issued.ticket(), before.generation(), end, inAnswer);
        } else {
            held = new Held(issued.ticket(), before == null ? 1 : before.generation() + 1, end, inAnswer);
            LOG.atDebug()
                    .addKeyValue("side", name)
                    .addKeyValue("lifetime_seconds", issued.lifetime().toSeconds())
                    .log("new token");
        }
        if (hurried && !inAnswer) { // given before the refusal, it may have died with the one before
            renewAfter(Duration.ZERO);
            return;
        }
        same = unchanged && (hurried || same);
        hurried = false;
        renewAfter(issued.lifetime().dividedBy(2));
    }

    private synchronized boolean isHurried() {
        return hurried;
    }

    private synchronized void renewAfter(Duration pause) {
        try {
            if (next != null) {
                next.cancel(false);
            }
            next = thread.schedule(this::renew, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException over) {
            LOG.debug("closed; the token of the {} is not renewed any more", name);
        }
    }

    private void renew() {
        try {
            boolean inAnswer = isHurried();
            install(issuer.issue(pace.requestWithin()), inAnswer);
            recovered();
        } catch (IssueException vain) {
            failed(vain);
        } catch (RuntimeException bug) {
            LOG.error("the token of the {} could not be renewed because of a bug; trying again", name, bug);
            renewAfter(pace.pauseMax());
        }
    }

    private synchronized void recovered() {
        if (failures > 0) {
            LOG.warn("the token of the {} is renewed again", name); // ends a warning
        }
        failures = 0;
    }

    private synchronized void failed(IssueException vain) {
        failures++;
        long now = System.nanoTime();
        if (failures == 1 || now - toldNanos >= pace.reminder().toNanos()) {
            toldNanos = now;
            Held current = held;
            long left = current == null ? 0 : TimeUnit.NANOSECONDS.toSeconds(current.endNanos() - now);
            LOG.atWarn()
                    .addKeyValue("side", name)
                    .addKeyValue("valid_for_seconds", Math.max(0, left))
                    .log("{}. {}; trying again", vain.what(), vain.remedy());
        }
        renewAfter(pace.pauseAfter(failures));
    }

    @Override
    public AuthRpcProvider<? super GrpcAuthRpc> provider() {
        return (AuthRpcProvider<GrpcAuthRpc>) rpc -> (AuthIdentity) this::current;
    }

    private String current() {
        Held current = held;
        if (current == null) {
            throw new IllegalStateException("a connection was opened before its ticket was obtained");
        }
        return current.ticket();
    }

    @Override
    public long generation() {
        Held current = held;
        return current == null ? 0 : current.generation();
    }

    @Override
    public void accepted(long generation) {
        if (accepted.get() < generation) {
            accepted.accumulateAndGet(generation, Math::max);
        }
    }

    /**
     * The first ticket of all is a mistake when it is not taken. A later one has died before its time, perhaps before it was
     * shown to anybody; it is a mistake only when it was asked for because of a refusal and is refused in its turn.
     */
    @Override
    public synchronized boolean refused(long generation) {
        Held current = held;
        if (current == null || generation < current.generation()) {
            return true;
        }
        boolean taken = accepted.get() >= current.generation();
        if (accepted.get() == 0 || (!taken && current.inAnswer())) {
            return false;
        }
        if (!hurried) {
            hurried = true;
            if (same) {
                renewAfter(pace.pauseMax());
            } else {
                LOG.info("the {} takes its token no more; asking for another", name);
                renewAfter(Duration.ZERO);
            }
        }
        return true;
    }

    @Override
    public void close() {
        closed.countDown();
        thread.shutdownNow();
    }

    /** Without the ticket. */
    @Override
    public String toString() {
        return "renewed ticket of the " + name;
    }
}
