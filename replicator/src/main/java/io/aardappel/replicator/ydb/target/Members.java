package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.TargetEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * Takes streams out of an instance, as an act under its lock: while another process holds it nothing is done. Waits; one
 * thread only. The transport belongs to the caller.
 */
public final class Members implements AutoCloseable {
    /** How an act ended. */
    public sealed interface Outcome {
        /** The stream is no member any more; a configuration need not name it. */
        record Removed(StreamRow stream) implements Outcome {}

        /** There is nothing to remove: these are the streams that the rows know. */
        record NoSuchMember(List<StreamRow> streams) implements Outcome {}

        /** Another process held the lock the whole time. */
        record Locked(String owner) implements Outcome {}

        /** The rows could not be read, and nothing was done; the text says why. */
        record Unreadable(String why) implements Outcome {}

        /** Nothing is known to have been done; the text says why. */
        record Failed(String why) implements Outcome {}
    }

    /** What is recorded. */
    public sealed interface Listing {
        /** The streams that the rows know, those removed too. */
        record Listed(List<StreamRow> streams) implements Listing {}

        /** The rows could not be read; the text says why. */
        record Unreadable(String why) implements Listing {}
    }

    private final DestinationWork work;

    /** Acts on the row that the identity names, under an owner of its own. */
    public Members(GrpcTransport transport, YdbTarget.Identity identity, TargetSettings settings) {
        Calls calls = new Calls(transport);
        this.work = DestinationWork.forAPerson(
                calls,
                identity,
                settings,
                new DestinationTables(new Descriptions(calls, settings.callTimeout()), calls.database()));
    }

    /** Reads what is recorded, whoever holds the lock; changes nothing. */
    public Listing list() {
        Loading.Outcome outcome = work.peek();
        if (outcome instanceof Loading.Outcome.Read read) {
            return new Listing.Listed(read.saved().streams());
        }
        if (outcome instanceof Loading.Outcome.Invalid invalid) {
            return new Listing.Unreadable(invalid.problem().text());
        }
        if (outcome instanceof Loading.Outcome.Absent) {
            return new Listing.Unreadable(
                    "there is no row of the instance; the first start makes it, and one that was there"
                            + " and is gone is not made again (docs/runbooks/fatal/STATE_LOST.md)");
        }
        if (outcome instanceof Loading.Outcome.Unanswered unanswered) {
            boolean absent = unanswered.status().getCode() == StatusCode.SCHEME_ERROR;
            return new Listing.Unreadable(StatusText.of(unanswered.status())
                    + (absent ? "; the tables are made by the first start of the instance" : ""));
        }
        throw new IllegalStateException("unknown outcome " + outcome);
    }

    /**
     * Removes one stream. Where there is nothing to remove, nothing is made either: neither tables nor the instance's row.
     *
     * @param patience how long to wait for the lock
     */
    public Outcome remove(String topic, String consumer, Duration patience) {
        Listing before = list();
        if (before instanceof Listing.Unreadable unreadable) {
            return new Outcome.Unreadable(unreadable.why());
        }
        List<StreamRow> recorded = ((Listing.Listed) before).streams();
        if (member(recorded, topic, consumer).isEmpty()) {
            return new Outcome.NoSuchMember(recorded);
        }
        Locking lock = work.lock(patience);
        if (lock instanceof Locking.Busy busy) {
            return new Outcome.Locked(busy.owner());
        }
        if (lock instanceof Locking.Failed failed) {
            return new Outcome.Failed(failed.why());
        }
        try {
            return removeUnderLock(((Locking.Held) lock).state(), topic, consumer);
        } finally {
            work.release();
        }
    }

    private Outcome removeUnderLock(SavedState state, String topic, String consumer) {
        Optional<StreamRow> found = member(state.streams(), topic, consumer);
        if (found.isEmpty()) {
            return new Outcome.NoSuchMember(state.streams());
        }
        StreamRow removed = found.get().removed();
        TargetEvent outcome = work.commitForAPerson(batch(state, removed));
        return outcome instanceof TargetEvent.Committed
                ? new Outcome.Removed(removed)
                : new Outcome.Failed("the row could not be written: " + Failure.words(outcome));
    }

    private static Optional<StreamRow> member(List<StreamRow> rows, String topic, String consumer) {
        return rows.stream()
                .filter(row -> row.topic().equals(topic) && row.consumer().equals(consumer))
                .filter(row -> row.state() != StreamState.REMOVED)
                .findFirst();
    }

    private static Batch batch(SavedState state, StreamRow stream) {
        InstanceRow instance =
                state.instance().orElse(new InstanceRow(state.checkpoint(), Position.ZERO, ScanPhase.NONE));
        return new Batch(
                1,
                List.of(),
                Optional.empty(),
                state.stage(),
                instance.scanMaximum(),
                instance.phase(),
                List.of(stream),
                List.of(),
                0,
                0,
                0);
    }

    @Override
    public void close() {
        work.close();
    }
}
