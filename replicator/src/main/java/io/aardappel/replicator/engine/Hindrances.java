package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Replication;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.Blocking.Reason;
import io.aardappel.replicator.engine.EngineStatus.PartitionStatus;
import io.aardappel.replicator.engine.EngineStatus.StreamStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what progress waits for: the first of those that stand in its way, outermost first, so that a database that is away
 * is not told as a partition without a session. Belongs to the engine's thread.
 */
final class Hindrances {
    private final LockPace lock;
    private final Retry retry;
    private final Ticker ticker;
    private final long interval;
    private final long memory;

    Hindrances(LockPace lock, Retry retry, Ticker ticker, EngineSettings settings) {
        this.lock = lock;
        this.retry = retry;
        this.ticker = ticker;
        this.interval = settings.heartbeatInterval().toMillis();
        this.memory = settings.memoryBytes();
    }

    /**
     * Absent while progress is made or may be.
     *
     * @param holder who holds the lock, and since when
     * @param streams as they are now, in configured order
     */
    Optional<Blocking> find(EngineStatus.Lock holder, @Nullable Term term, List<StreamStatus> streams, long now) {
        Optional<Blocking> outside = ofDestination(holder, now);
        if (outside.isPresent() || term == null) {
            return outside;
        }
        Optional<Term.Trouble> trouble = term.sourceTrouble();
        if (trouble.isPresent()) {
            int stream = trouble.get().stream();
            String topic = stream < 0 ? "" : streams.get(stream).topic();
            return Optional.of(
                    new Blocking(Reason.SOURCE, topic, -1, now, trouble.get().what()));
        }
        Replication replication = term.replication().orElse(null);
        if (replication == null) {
            return Optional.empty();
        }
        Optional<Term.Awaited> column = term.schemaAwaited();
        if (column.isPresent()) {
            return column.map(Hindrances::ofSchema);
        }
        if (replication.questions() > 0) {
            return ofQuestion(term, streams, now);
        }
        Optional<PartitionId> doubted = replication.inDoubt();
        if (doubted.isPresent()) {
            PartitionId id = doubted.get();
            String text = "whether the topic forgot records before they were read is being found out";
            return Optional.of(
                    new Blocking(Reason.SOURCE, streams.get(id.stream()).topic(), id.partition(), now, text));
        }
        return ofPartition(term, replication, streams, now);
    }

    private static Optional<Blocking> ofQuestion(Term term, List<StreamStatus> streams, long now) {
        return term.openQuestion()
                .map(question -> new Blocking(
                        Reason.DECISION,
                        streams.get(question.partition().stream()).topic(),
                        question.partition().partition(),
                        now,
                        "a record waits for a decision: " + question.problem().what()));
    }

    private Optional<Blocking> ofDestination(EngineStatus.Lock holder, long now) {
        if (lock.trouble().isPresent()) {
            long since = now - lock.troubledFor(ticker.nanos()) / 1_000_000;
            return blocking(
                    Reason.DESTINATION,
                    since,
                    "the lock cannot be asked for: " + lock.trouble().get());
        }
        if (!holder.held()) {
            String text = holder.owner().isEmpty()
                    ? "nobody is known to hold the lock yet"
                    : "the lock is held by " + holder.owner();
            return blocking(Reason.LOCK, holder.since(), text);
        }
        if (retry.failing()) {
            return blocking(Reason.DESTINATION, now - retry.failingFor(ticker.nanos()) / 1_000_000, retry.why());
        }
        return Optional.empty();
    }

    private static Blocking ofSchema(Term.Awaited awaited) {
        return new Blocking(
                Reason.SCHEMA, awaited.topic(), awaited.partition().partition(), awaited.since(), awaited.what());
    }

    private Optional<Blocking> ofPartition(Term term, Replication replication, List<StreamStatus> streams, long now) {
        PartitionId id = replication.holder().orElse(null);
        if (id == null) {
            return Optional.empty();
        }
        StreamStatus stream = streams.get(id.stream());
        PartitionStatus partition = stream.partitions().stream()
                .filter(candidate -> candidate.partition() == id.partition())
                .findFirst()
                .orElse(null);
        if (partition == null) {
            return Optional.empty();
        }
        Blocking found = of(term, replication, stream, partition);
        if (replication.stage() == Stage.INITIAL_SCAN) {
            return Optional.of(ofScan(replication, stream, found));
        }
        long waited = now - partition.barrierAt();
        boolean known = waited >= 0; // else the clock was set back
        boolean patient = found.reason() != Reason.NO_BARRIER && known && waited <= interval;
        return patient ? Optional.empty() : Optional.of(found);
    }

    private Blocking of(Term term, Replication replication, StreamStatus stream, PartitionStatus partition) {
        PartitionId id = new PartitionId(replication.holder().orElseThrow().stream(), partition.partition());
        if (partition.parked() || partition.closedByUs()) {
            return at(
                    Reason.MEMORY,
                    stream,
                    partition,
                    "is not read until there is room in memory (" + replication.bufferedBytes() + " of " + memory
                            + " bytes are taken); raise replicator.memory if this lasts");
        }
        if (!partition.session()) {
            Optional<PartitionStatus> parent = unfinishedParent(term.parents(id), stream);
            if (parent.isPresent()) {
                return at(
                        Reason.PARENT,
                        stream,
                        partition,
                        "is not given out before its parent, partition "
                                + parent.get().partition()
                                + ", is committed to its end (" + parent.get().committedOffset() + " of "
                                + parent.get().endOffset() + ")");
            }
            String last = term.sessionEnd(id)
                    .map(why -> "; the last one ended: " + why)
                    .orElse("");
            return at(Reason.NO_SESSION, stream, partition, "waits for a read session" + last);
        }
        return partition.barrier().isEmpty()
                ? at(Reason.NO_BARRIER, stream, partition, "waits for its first barrier")
                : at(
                        Reason.BARRIER_STALE,
                        stream,
                        partition,
                        "waits for a barrier above " + partition.barrier().orElse(Position.ZERO));
    }

    private static Optional<PartitionStatus> unfinishedParent(List<Long> parents, StreamStatus stream) {
        return stream.partitions().stream()
                .filter(candidate -> parents.contains(candidate.partition()))
                .filter(candidate -> candidate.committedOffset() < candidate.endOffset())
                .findFirst();
    }

    /** In a scan it matters most how far it is; what the partition itself waits for comes after that. */
    private static Blocking ofScan(Replication replication, StreamStatus stream, Blocking found) {
        String parts =
                "InitialScan " + stream.topic() + " " + stream.partsThatSpoke() + "/" + stream.parts() + " parts";
        String end = replication.quorum().isPresent()
                ? "; it ends with the first checkpoint above " + replication.scanMaximum()
                : "";
        return new Blocking(
                Reason.INITIAL_SCAN,
                found.stream(),
                found.partition(),
                found.since(),
                parts + ": partition " + found.partition() + " " + found.text() + end);
    }

    private static Blocking at(Reason reason, StreamStatus stream, PartitionStatus partition, String text) {
        return new Blocking(reason, stream.topic(), partition.partition(), partition.barrierAt(), text);
    }

    private static Optional<Blocking> blocking(Reason reason, long since, String text) {
        return Optional.of(new Blocking(reason, "", -1, since, text));
    }
}
