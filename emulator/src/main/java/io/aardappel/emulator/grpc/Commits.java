package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import io.aardappel.emulator.model.table.Transaction;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits, and what can go wrong with them on purpose. Thread-safe. */
final class Commits {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    private final ServerContext context;
    private final Faults faults;

    Commits(ServerContext context) {
        this.context = context;
        this.faults = context.faults();
    }

    /**
     * Commits; returns only when the client may be told so. Otherwise throws what the client is told, which after a fault
     * says nothing about whether the transaction is, or will be, applied.
     */
    void commit(Transaction transaction, Site site) {
        refuse(transaction, site);
        Strike late = faults.strike(Fault.COMMIT_LATE, site);
        if (late != null) {
            land(transaction, late.delay());
            throw undetermined();
        }
        wait(faults.strike(Fault.COMMIT_SLOW, site));
        transaction.commit();
        if (faults.strike(Fault.COMMIT_UNANSWERED, site) != null) {
            throw new NoAnswerException();
        }
        if (faults.strike(Fault.COMMIT_UNDETERMINED, site) != null) {
            throw undetermined();
        }
    }

    private void refuse(Transaction transaction, Site site) {
        try {
            Calls.refuseByFault(faults, site);
        } catch (YdbException refusal) {
            transaction.rollback();
            throw refusal;
        }
    }

    private static YdbException undetermined() {
        return new YdbException(Status.UNDETERMINED, "State of operation is unknown: an ordered fault hides it");
    }

    private void land(Transaction transaction, Duration delay) {
        Runnable attempt = () -> {
            try {
                transaction.commit();
                LOG.debug("transaction {} landed {} after its error answer", transaction.id(), delay);
            } catch (YdbException refused) {
                LOG.debug("transaction {} came too late: {}", transaction.id(), refused.getMessage());
            }
        };
        // nobody waits: the client has its answer
        ScheduledFuture<?> unused = context.timer()
                .schedule(() -> context.workers().execute(attempt), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Holds up this one call; others of the same server go on. */
    private static void wait(@Nullable Strike slow) {
        if (slow != null) {
            LockSupport.parkNanos(slow.delay().toNanos());
        }
    }
}
