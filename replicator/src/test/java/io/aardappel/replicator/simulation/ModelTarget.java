package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.CheckpointedTarget;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.TargetEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process's way to the model's destination: slow, refusing at times, losing answers, landing late. */
final class ModelTarget implements CheckpointedTarget {
    private final Schedule schedule;
    private final ModelDestination destination;
    private final String name;
    private final long ttlMillis;
    private final Fault fault;
    private double faultRate;
    private @Nullable Consumer<Event> inbox;
    private String owner = "";
    private boolean ownerFresh;
    private int owners;
    private int attempts;
    private long knownSeq;
    private boolean dead;

    ModelTarget(
            Schedule schedule,
            ModelDestination destination,
            String name,
            long ttlMillis,
            double faultRate,
            Fault fault) {
        this.schedule = schedule;
        this.destination = destination;
        this.name = name;
        this.ttlMillis = ttlMillis;
        this.faultRate = faultRate;
        this.fault = fault;
    }

    void calm() {
        faultRate = 0;
    }

    @Override
    public void start(Consumer<Event> to) {
        inbox = to;
    }

    @Override
    public void acquire() {
        if (!ownerFresh) {
            owner = name + "#" + ++owners;
            ownerFresh = true;
        }
        schedule.afterMillis(schedule.someMillis(30), () -> {
            boolean held = !dead && destination.lock(owner, schedule.millis(), ttlMillis);
            if (held) {
                schedule.note(name + " takes the lock as " + owner);
            }
            if (schedule.chance(faultRate)) {
                answer(new TargetEvent.LockUnknown("no answer"));
                return;
            }
            if (held) {
                ownerFresh = false;
            }
            answer(held ? new TargetEvent.LockHeld(owner) : new TargetEvent.LockBusy(destination.owner));
        });
    }

    @Override
    public void renew() {
        schedule.afterMillis(schedule.someMillis(30), () -> {
            boolean ours = destination.owner.equals(owner);
            boolean held = !dead && ours && destination.lock(owner, schedule.millis(), ttlMillis);
            if (schedule.chance(faultRate)) {
                answer(new TargetEvent.LockUnknown("no answer"));
                return;
            }
            answer(held ? new TargetEvent.LockHeld(owner) : new TargetEvent.LockBusy(destination.owner));
        });
    }

    @Override
    public void release() {
        schedule.afterMillis(schedule.someMillis(30), () -> {
            if (!dead) {
                destination.release(owner, schedule.millis());
            }
            answer(new TargetEvent.LockReleased());
        });
    }

    @Override
    public void load() {
        schedule.afterMillis(schedule.someMillis(30), () -> {
            if (schedule.chance(faultRate)) {
                answer(new TargetEvent.LoadRetryable("no answer"));
                return;
            }
            knownSeq = destination.commitSeq;
            answer(new TargetEvent.Loaded(destination.saved()));
        });
    }

    @Override
    public void commit(Batch batch) {
        String attempt = owner + "/" + ++attempts;
        String as = owner;
        // first call: begin, read the rows, check the proof
        schedule.afterMillis(schedule.someMillis(30), () -> {
            if (dead) {
                return;
            }
            if (fault != Fault.NO_LOCK_PROOF && !proven(as)) {
                answer(new TargetEvent.Fenced(batch.number(), "owner " + destination.owner));
                return;
            }
            long seen = destination.version;
            if (schedule.chance(faultRate)) {
                unlucky(batch, attempt, as, seen);
            } else {
                // second call: writes and commit
                schedule.afterMillis(schedule.someMillis(30), () -> settle(batch, land(batch, attempt, as, seen)));
            }
        });
    }

    private boolean proven(String as) {
        return destination.owner.equals(as) && destination.commitSeq == knownSeq;
    }

    /** The server takes the transaction when nothing it read has changed since. */
    private boolean land(Batch batch, String attempt, String as, long seen) {
        if (fault != Fault.NO_LOCK_PROOF && destination.version != seen) {
            schedule.note("the server refuses " + attempt);
            return false;
        }
        schedule.note(as + " commits " + attempt + " with checkpoint " + batch.checkpoint() + ", " + batch.changes()
                + " changes");
        if (fault == Fault.CHECKPOINT_OUTSIDE_TRANSACTION) {
            destination.applyState(batch, attempt, schedule.millis() + ttlMillis);
            schedule.afterMillis(5, () -> {
                if (!dead) {
                    batch.tables().forEach(destination::apply);
                }
            });
            return true;
        }
        destination.apply(batch, attempt, schedule.millis() + ttlMillis, as);
        return true;
    }

    private void settle(Batch batch, boolean taken) {
        if (taken) {
            knownSeq++;
            answer(new TargetEvent.Committed(batch.number()));
        } else {
            answer(new TargetEvent.Retryable(batch.number(), "ABORTED", "a row was changed", false));
        }
    }

    private void unlucky(Batch batch, String attempt, String as, long seen) {
        switch (schedule.random.nextInt(4)) {
            case 0 -> answer(new TargetEvent.Retryable(batch.number(), "OVERLOADED", "busy", false));
            case 1 ->
                schedule.afterMillis(
                        500, () -> answer(new TargetEvent.Retryable(batch.number(), "TIMEOUT", "too slow", true)));
            case 2 -> {
                land(batch, attempt, as, seen);
                schedule.note("the answer of " + attempt + " is lost");
                schedule.afterMillis(schedule.someMillis(200), () -> resolve(batch, attempt, as));
            }
            default -> {
                long late = schedule.someMillis(6_000);
                schedule.note(attempt + " may land " + late + " ms late");
                schedule.afterMillis(late, () -> land(batch, attempt, as, seen));
                schedule.afterMillis(schedule.someMillis(200), () -> resolve(batch, attempt, as));
            }
        }
    }

    /** Reads commit number and attempt under the lock, and writes there, so that what is still on its way is refused. */
    private void resolve(Batch batch, String attempt, String as) {
        if (dead) {
            return;
        }
        if (fault == Fault.NO_LOCK_PROOF) {
            settle(batch, destination.attempt.equals(attempt));
            return;
        }
        if (!destination.owner.equals(as)) {
            answer(new TargetEvent.Fenced(batch.number(), "owner " + destination.owner));
        } else if (destination.commitSeq == knownSeq) {
            destination.version++;
            answer(new TargetEvent.Retryable(batch.number(), "UNDETERMINED", "not applied", false));
        } else if (destination.commitSeq == knownSeq + 1 && destination.attempt.equals(attempt)) {
            knownSeq++;
            answer(new TargetEvent.Committed(batch.number()));
        } else {
            answer(new TargetEvent.Fenced(batch.number(), "another writer"));
        }
    }

    @Override
    public void writeFatal(Problem problem) {
        schedule.afterMillis(schedule.someMillis(30), () -> {
            if (!proven(owner)) {
                answer(new TargetEvent.FatalNotWritten("owner " + destination.owner));
                return;
            }
            destination.state = "FATAL_ERROR";
            destination.lastMessage = problem.text();
            answer(new TargetEvent.FatalWritten());
        });
    }

    @Override
    public void close() {
        dead = true;
    }

    private void answer(TargetEvent event) {
        Consumer<Event> to = inbox;
        if (!dead && to != null) {
            schedule.afterMillis(schedule.someMillis(10), () -> {
                if (!dead) {
                    to.accept(event);
                }
            });
        }
    }
}
