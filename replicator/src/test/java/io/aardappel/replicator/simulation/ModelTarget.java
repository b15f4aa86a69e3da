package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.TableWrites;
import io.aardappel.replicator.engine.CheckpointedTarget;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.engine.TargetEvent.Blame;
import io.aardappel.replicator.simulation.ModelDestination.Mark;
import io.aardappel.replicator.simulation.ModelDestination.Proof;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process's way to the model's destination, by the protocol of the fenced transactions: slow, refused at times, with
 * answers lost and requests that arrive late.
 */
class ModelTarget implements CheckpointedTarget {
    private static final int REQUEST_MILLIS = 30;
    private static final int ANSWER_MILLIS = 10;
    private static final int TIMEOUT_MILLIS = 500;
    private static final int LATE_MILLIS = 6_000;
    private static final int RESOLVE_MILLIS = 3_000;

    /**
     * One transaction on its way.
     *
     * @param mark that it leaves
     * @param base number of transactions that were durable when it was decided
     * @param leftOut rows that its process leaves out
     */
    record Attempt(Batch batch, Mark mark, long base, Set<String> leftOut) {}

    /** Looks at every transaction that is about to take effect. */
    @FunctionalInterface
    interface Check {
        void landing(Attempt attempt);
    }

    final Schedule schedule;
    final ModelDestination destination;
    final Host host;
    private final LeftOutKeys leftOut;
    private final Check check;
    private double refusals;
    private @Nullable Consumer<Event> inbox;
    private String owner = "";
    private boolean ownerFresh;
    private int owners;
    private long attempts;
    /** All as this process left it. */
    private Proof known = new Proof("", Position.ZERO, Stage.RUN, 0);

    private long base;

    /** @param refusals probability that a request is refused, lost or late */
    ModelTarget(
            Schedule schedule,
            ModelDestination destination,
            Host host,
            LeftOutKeys leftOut,
            Check check,
            double refusals) {
        this.schedule = schedule;
        this.destination = destination;
        this.host = host;
        this.leftOut = leftOut;
        this.check = check;
        this.refusals = refusals;
    }

    void calm() {
        refusals = 0;
    }

    final Proof known() {
        return known;
    }

    // ---- what a planted fault changes

    /** Whether the transaction may go on, given what its first call has read. */
    boolean proves(Proof found) {
        return found.equals(known);
    }

    /** Whether the server takes the transaction: when nothing that it read has changed since. */
    boolean serverTakes(Attempt attempt, long versionSeen) {
        return destination.version() == versionSeen;
    }

    void write(Attempt attempt) {
        destination.apply(attempt.batch(), attempt.mark(), schedule.millis() + Plan.TTL_MILLIS);
    }

    Batch sent(Batch batch) {
        return batch;
    }

    SavedState loaded(SavedState saved) {
        return saved;
    }

    /** Whether an attempt that seems not to have taken effect is shut out before another is made. */
    boolean fences() {
        return true;
    }

    // ---- the lock

    @Override
    public void start(Consumer<Event> to) {
        inbox = to;
    }

    /** To be called now and then: looks whether other rows are to be left out. */
    final void lookAtBlockedKeys() {
        if (!destination.blocked().equals(leftOut.keys())) {
            host.run(() -> tell(new TargetEvent.ReadAnew("other keys are blocked")));
        }
    }

    @Override
    public void acquire() {
        if (!host.mayCall()) {
            return;
        }
        if (!ownerFresh) {
            owner = host.name + "#" + ++owners;
            ownerFresh = true;
        }
        String as = owner;
        atServer(() -> {
            boolean held = destination.lock(as, schedule.millis(), Plan.TTL_MILLIS);
            if (held) {
                schedule.note("%s has the lock", as);
            }
            answerLock(held, as);
        });
    }

    @Override
    public void renew() {
        if (host.mayCall()) {
            String as = owner;
            atServer(() -> answerLock(
                    destination.owner().equals(as) && destination.lock(as, schedule.millis(), Plan.TTL_MILLIS), as));
        }
    }

    private void answerLock(boolean held, String as) {
        String holder = destination.owner();
        boolean lost = schedule.chance(refusals);
        atHome(() -> {
            if (lost) {
                tell(new TargetEvent.LockUnknown("no answer"));
            } else if (held) {
                ownerFresh = false;
                tell(new TargetEvent.LockHeld(as));
            } else {
                tell(new TargetEvent.LockBusy(holder));
            }
        });
    }

    @Override
    public void release() {
        if (host.mayCall()) {
            String as = owner;
            atServer(() -> {
                destination.release(as, schedule.millis());
                atHome(() -> tell(new TargetEvent.LockReleased()));
            });
        }
    }

    @Override
    public void load() {
        if (!host.mayCall()) {
            return;
        }
        atServer(() -> {
            boolean lost = schedule.chance(refusals);
            Proof found = destination.proof();
            long transactions = destination.transactions();
            SavedState saved = destination.saved();
            Set<String> blocked = destination.blocked();
            String as = owner;
            atHome(() -> {
                if (lost) {
                    tell(new TargetEvent.LoadRetryable("no answer"));
                } else {
                    leftOut.load(blocked);
                    known = new Proof(as, found.checkpoint(), found.stage(), found.commitSeq());
                    base = transactions;
                    tell(new TargetEvent.Loaded(loaded(saved)));
                }
            });
        });
    }

    // ---- transactions

    /** Begins, reads what proves that all is as it was left, and goes on only if it is. */
    @Override
    public void commit(Batch batch) {
        if (!host.mayCall()) {
            return;
        }
        Attempt attempt = new Attempt(sent(batch), new Mark(owner, ++attempts), base, leftOut.keys());
        atServer(() -> {
            if (schedule.chance(refusals / 2)) {
                boolean slow = schedule.random.nextBoolean();
                schedule.afterMillis(
                        slow ? TIMEOUT_MILLIS : 1, () -> refused(attempt, slow ? "TIMEOUT" : "OVERLOADED", slow));
                return;
            }
            Proof found = destination.proof();
            long version = destination.version();
            atHome(() -> {
                if (proves(found)) {
                    finish(attempt, version);
                } else {
                    tell(new TargetEvent.Fenced(batch.number(), "found " + found));
                }
            });
        });
    }

    private void refused(Attempt attempt, String cause, boolean slow) {
        atHome(() -> tell(new TargetEvent.Retryable(attempt.batch().number(), cause, "refused", slow)));
    }

    /** Writes and commits. */
    private void finish(Attempt attempt, long version) {
        if (!host.mayCall()) {
            return;
        }
        Optional<TargetEvent> refused = refusedFor(attempt.batch());
        if (refused.isPresent()) {
            atServer(() -> atHome(() -> tell(refused.get())));
            return;
        }
        if (!schedule.chance(refusals)) {
            atServer(() -> {
                boolean taken = land(attempt, version);
                atHome(() -> {
                    if (taken) {
                        committed(attempt);
                    } else {
                        refused(attempt, "ABORTED", false);
                    }
                });
            });
            return;
        }
        switch (schedule.random.nextInt(4)) {
            case 0 -> {
                atServer(() -> refused(attempt, "OVERLOADED", false));
                return;
            }
            case 1 -> schedule.note("%s is lost", attempt.mark());
            case 2 ->
                atServer(() -> {
                    land(attempt, version);
                    schedule.note("the answer of %s is lost", attempt.mark());
                });
            default -> {
                long late = schedule.someMillis(LATE_MILLIS);
                schedule.note("%s may land %s ms late", attempt.mark(), late);
                schedule.afterMillis(late, () -> land(attempt, version));
            }
        }
        schedule.afterMillis(
                schedule.someMillis(200),
                () -> host.run(() -> resolve(attempt, new HashSet<>(), schedule.millis() + RESOLVE_MILLIS)));
    }

    /** For a value of one of its rows; the server does not always say which row it was. */
    private Optional<TargetEvent> refusedFor(Batch batch) {
        for (TableWrites table : batch.tables()) {
            for (RowWrite row : table.writes()) {
                Optional<Integer> value = destination.refuses(row.columns());
                if (value.isPresent()) {
                    boolean named = value.get() % 2 == 0;
                    schedule.note("the server refuses %s in row %s", value.get(), named ? row.key() : "?");
                    Reason reason = named ? Reason.UNFIT_RECORD : Reason.DESTINATION_FAILED;
                    return Optional.of(new TargetEvent.Refused(
                            batch.number(),
                            new Problem(reason, "a value is refused", "decide"),
                            named ? Optional.of(row) : Optional.empty(),
                            named ? Blame.THIS_ROW : Blame.SOME_ROW));
                }
            }
        }
        return Optional.empty();
    }

    private boolean land(Attempt attempt, long version) {
        if (!serverTakes(attempt, version)) {
            schedule.note("the server refuses %s", attempt.mark());
            return false;
        }
        Batch batch = attempt.batch();
        schedule.note(
                "%s: checkpoint %s, %s changes, M %s %s, decided %s",
                attempt.mark(),
                batch.checkpoint().map(Position::toString).orElse("-"),
                batch.changes(),
                batch.scanMaximum(),
                batch.phase(),
                batch.decisions().size());
        check.landing(attempt);
        write(attempt);
        return true;
    }

    private void committed(Attempt attempt) {
        Batch batch = attempt.batch();
        base = attempt.base() + 1;
        known = new Proof(
                known.owner(), batch.checkpoint().orElse(known.checkpoint()), batch.stage(), known.commitSeq() + 1);
        tell(new TargetEvent.Committed(batch.number()));
    }

    /**
     * Finds out what became of an attempt, and writes over what it has read when it seems not to have come, so that it never
     * can.
     *
     * @param fencesLeft attempts to do so whose answers were lost
     */
    private void resolve(Attempt attempt, Set<Long> fencesLeft, long until) {
        if (!host.mayCall()) {
            return;
        }
        if (schedule.millis() > until) {
            tell(new TargetEvent.Fenced(attempt.batch().number(), "could not be found out"));
            return;
        }
        Runnable again = () -> schedule.afterMillis(50, () -> host.run(() -> resolve(attempt, fencesLeft, until)));
        atServer(() -> {
            Proof found = destination.proof();
            Mark mark = destination.mark();
            long version = destination.version();
            if (schedule.chance(refusals)) {
                again.run();
                return;
            }
            atHome(() -> {
                Optional<Runnable> outcome = outcome(attempt, fencesLeft, found, mark);
                if (outcome.isPresent()) {
                    outcome.get().run();
                } else if (fences()) {
                    fence(attempt, fencesLeft, version, again);
                } else {
                    refused(attempt, "UNDETERMINED", false);
                }
            });
        });
    }

    /** What is to be told, absent while the attempt may still come. */
    Optional<Runnable> outcome(Attempt attempt, Set<Long> fencesLeft, Proof found, Mark mark) {
        boolean ours = found.owner().equals(known.owner())
                && found.commitSeq() == known.commitSeq() + 1
                && mark.owner().equals(known.owner());
        if (ours && mark.equals(attempt.mark())) {
            return Optional.of(() -> committed(attempt));
        }
        if (ours && fencesLeft.contains(mark.attempt())) {
            return Optional.of(() -> shutOut(attempt));
        }
        if (!found.equals(known)) {
            return Optional.of(() -> tell(new TargetEvent.Fenced(attempt.batch().number(), "found " + found)));
        }
        return Optional.empty();
    }

    private void fence(Attempt attempt, Set<Long> fencesLeft, long version, Runnable again) {
        Mark fence = new Mark(owner, ++attempts);
        fencesLeft.add(fence.attempt());
        atServer(() -> {
            boolean taken = destination.version() == version;
            if (taken) {
                destination.leave(fence);
            }
            boolean told = taken && !schedule.chance(refusals);
            if (told) {
                atHome(() -> shutOut(attempt));
            } else {
                again.run();
            }
        });
    }

    private void shutOut(Attempt attempt) {
        known = new Proof(known.owner(), known.checkpoint(), known.stage(), known.commitSeq() + 1);
        refused(attempt, "UNDETERMINED", schedule.random.nextBoolean());
    }

    final void tellCommitted(Attempt attempt) {
        committed(attempt);
    }

    final void tellRefused(Attempt attempt) {
        refused(attempt, "UNDETERMINED", false);
    }

    @Override
    public void writeFatal(Problem problem) {
        if (!host.mayCall()) {
            return;
        }
        atServer(() -> {
            boolean written = proves(destination.proof());
            if (written) {
                schedule.note("%s writes FATAL_ERROR: %s", host.name, problem.reason());
                destination.fatal(problem.text());
            }
            atHome(() -> tell(
                    written ? new TargetEvent.FatalWritten() : new TargetEvent.FatalNotWritten("the lock is lost")));
        });
    }

    @Override
    public void close() {
        // its host decides what still happens
    }

    // ---- time

    /** A request arrives some time after it was sent, whatever became of the sender. */
    private void atServer(Runnable action) {
        schedule.afterMillis(schedule.someMillis(REQUEST_MILLIS), action);
    }

    /** An answer arrives some time later, and is looked at when the process is awake. */
    private void atHome(Runnable action) {
        schedule.afterMillis(schedule.someMillis(ANSWER_MILLIS), () -> host.run(action));
    }

    private void tell(TargetEvent event) {
        Consumer<Event> to = inbox;
        if (to != null) {
            host.deliver(to, event);
        }
    }
}
