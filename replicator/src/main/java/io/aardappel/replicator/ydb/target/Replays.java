package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.ReplayTable;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.TableWrites;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.ydb.target.DestinationTables.Reading;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Writes records that were left out, each in a transaction by the rules of all others and with its row of the audit, under the
 * instance's lock. Reading needs no lock. Waits; one thread only. The transport belongs to the caller.
 */
public final class Replays implements AutoCloseable {
    /**
     * Which record of which stream.
     *
     * @param topic absolute path, with the consumer the stream
     */
    public record RecordName(String topic, String consumer, long partition, long offset, Position position) {}

    /**
     * What our rows say of a record.
     *
     * @param decision of the record itself, or else of all records of its position
     * @param ofPosition the decision about all records of its position where that stands in the row that is named by the record,
     *     as earlier versions wrote it
     * @param decidedBy who took it
     * @param replayed when and by whom last, in words
     * @param passed whether its offset was noted as done with
     */
    public record Standing(
            Optional<Action> decision,
            Optional<DecisionRow> ofPosition,
            Optional<DecidedBy> decidedBy,
            Optional<String> replayed,
            boolean passed) {
        public boolean leftOut() {
            return decision.filter(action -> action == Action.SKIP || action == Action.SKIP_ALL)
                    .isPresent();
        }
    }

    /**
     * What is to be written.
     *
     * @param change decoded by {@link #shape}
     * @param table absolute path
     * @param letter where it stands among the dead letters
     * @param who orders it
     * @param overruled objections that were overruled, empty as a rule
     */
    public record Replay(RecordName record, Change change, String table, String letter, String who, String overruled) {}

    private final DestinationWork work;
    private final Retries retries;
    private final TableSession session;
    private final RowLookup lookup;
    private final Descriptions descriptions;
    private final DestinationTables tables;
    private final TargetSettings settings;
    private final YdbTarget.Identity identity;
    private final String database;
    private final TableName replays;
    private @Nullable SavedState state;
    /** Null until it is known. */
    private @Nullable Boolean replaysThere;
    /** Null until they are asked for, once for all letters; empty where they cannot be read. */
    private @Nullable List<StreamRow> streams;

    private long batches;

    /** Acts on the row that the identity names, under an owner of its own. */
    public Replays(GrpcTransport transport, YdbTarget.Identity identity, TargetSettings settings) {
        Calls calls = new Calls(transport);
        this.settings = settings;
        this.identity = identity;
        this.database = calls.database();
        this.replays = ReplayTable.beside(identity.stateTable());
        this.descriptions = new Descriptions(calls.tried(settings.callTries()), settings.callTimeout());
        this.tables = new DestinationTables(descriptions, calls.database());
        this.session = new TableSession(calls);
        this.retries = Retries.forAPerson(session, settings);
        this.lookup = new RowLookup(transport, settings);
        this.work = DestinationWork.forAPerson(calls, identity, settings, tables);
    }

    /** What is known of a record, whoever holds the lock. */
    public Answer<Standing> standing(RecordName record) {
        boolean withReplays = areReplaysThere();
        TableName decisions = DecisionTable.beside(identity.stateTable());
        Result<ExecuteQueryResult> answer = retries.run(ReplayRows.standing(
                decisions.quoted(), withReplays ? replays.quoted() : "", Params.utf8(identity.instanceId()), record));
        if (!answer.isSuccess()) {
            return new Answer.Unreadable<>("table " + decisions.path() + ": " + StatusText.of(answer.getStatus()));
        }
        ExecuteQueryResult sets = answer.getValue();
        Optional<ResultRow> own = ResultRow.first(sets.getResultSets(0));
        Optional<ResultRow> decided = own.or(() -> ResultRow.first(sets.getResultSets(1)));
        return new Answer.Read<>(new Standing(
                decided.flatMap(row -> word(row, DecisionTable.ACTION, Action.values())),
                own.flatMap(row -> ofPosition(row, record.position())),
                decided.flatMap(row -> word(row, DecisionTable.DECIDED_BY, DecidedBy.values())),
                withReplays ? ResultRow.first(sets.getResultSets(2)).map(Replays::replayed) : Optional.empty(),
                isPassed(record)));
    }

    private static Optional<DecisionRow> ofPosition(ResultRow own, Position position) {
        String reason = own.text(DecisionTable.REASON);
        return word(own, DecisionTable.ACTION, Action.values())
                .filter(Action::ofWholePosition)
                .map(action -> DecisionRow.ofPosition(
                        position,
                        action,
                        word(own, DecisionTable.DECIDED_BY, DecidedBy.values()).orElse(DecidedBy.STRATEGY),
                        reason == null ? "" : reason));
    }

    /** Offsets are noted only when everything below them is done with: applied, or left out by a decision. */
    private boolean isPassed(RecordName record) {
        List<StreamRow> rows = streams;
        if (rows == null) {
            rows = work.peek() instanceof Loading.Outcome.Read read
                    ? read.saved().streams()
                    : List.of();
            streams = rows;
        }
        return rows.stream()
                .filter(row ->
                        row.topic().equals(record.topic()) && row.consumer().equals(record.consumer()))
                .anyMatch(row -> row.committed().getOrDefault(record.partition(), 0L) > record.offset());
    }

    /** Asked once, since there may be thousands of letters. What cannot be described will be seen where it is read. */
    private boolean areReplaysThere() {
        Boolean there = replaysThere;
        if (there == null) {
            Status described =
                    descriptions.table(replays.absolutePath(database)).getStatus();
            there = described.getCode() != StatusCode.SCHEME_ERROR;
            replaysThere = there;
        }
        return there;
    }

    /** Nothing where somebody wrote another word by hand. */
    private static <E extends Enum<E>> Optional<E> word(ResultRow row, String column, E[] known) {
        String word = row.text(column);
        return Arrays.stream(known)
                .filter(one -> one.name().equalsIgnoreCase(word))
                .findFirst();
    }

    private static String replayed(ResultRow row) {
        Long micros = row.number(ReplayTable.REPLAYED_AT);
        return Instant.EPOCH.plus(micros == null ? 0 : micros, ChronoUnit.MICROS) + " by " + row.text(ReplayTable.WHO);
    }

    /** The shape of a destination table, as it is now. */
    public Answer<TableShape> shape(String table) {
        Reading reading = tables.read(table);
        return reading instanceof Reading.Known known
                ? new Answer.Read<>(known.shape())
                : new Answer.Unreadable<>("table " + table + ": " + reading.why());
    }

    /** Whether a destination table has a row of the key. */
    public Answer<Boolean> has(TableShape shape, Key key) {
        Answer<Optional<Map<String, Value>>> found = lookup.find(shape, key);
        return found instanceof Answer.Unreadable<Optional<Map<String, Value>>> unreadable
                ? new Answer.Unreadable<>(unreadable.why())
                : new Answer.Read<>(((Answer.Read<Optional<Map<String, Value>>>) found)
                        .value()
                        .isPresent());
    }

    /**
     * Takes the lock and reads the state; makes the table of the audit where it is absent.
     *
     * @param patience how long to wait for the lock
     */
    public Locking lock(Duration patience) {
        Locking lock = work.lock(patience);
        if (!(lock instanceof Locking.Held held)) {
            return lock;
        }
        String path = replays.absolutePath(database);
        if (!descriptions.table(path).isSuccess()) {
            var made = session.executeScheme(ReplayTable.createIfAbsent(identity.stateTable()), settings.callTimeout());
            if (!made.isSuccess()) {
                return new Locking.Failed("table " + path + " could not be made: " + Failure.told(made));
            }
        }
        replaysThere = true;
        state = held.state();
        return held;
    }

    /**
     * Writes the row of one letter and what is recorded of it, in one transaction. The lock must be held.
     *
     * @param own what our rows say of the record; a decision to leave it out becomes one to apply it
     * @return why it was not done, absent when it was
     */
    public Optional<String> replay(Replay replay, Standing own) {
        SavedState held = state;
        if (held == null) {
            throw new IllegalStateException("the lock is not held");
        }
        Statement audit = ReplayRows.insert(replays.quoted(), identity.instanceId(), replay);
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        TargetEvent outcome = work.commit(batch(held, replay, own), List.of(audit));
        for (int tries = 1; outcome instanceof TargetEvent.Retryable && tries < settings.callTries(); tries++) {
            backoff.pause();
            outcome = work.commit(batch(held, replay, own), List.of(audit));
        }
        if (outcome instanceof TargetEvent.Committed) {
            return Optional.empty();
        }
        String how =
                outcome instanceof TargetEvent.Refused ? "the destination refuses it: " : "it could not be written: ";
        return Optional.of(how + Failure.words(outcome));
    }

    private Batch batch(SavedState held, Replay replay, Standing own) {
        InstanceRow instance =
                held.instance().orElse(new InstanceRow(held.checkpoint(), Position.ZERO, ScanPhase.NONE));
        return new Batch(
                ++batches,
                List.of(writes(replay)),
                Optional.empty(),
                held.stage(),
                instance.scanMaximum(),
                instance.phase(),
                List.of(),
                own.leftOut() ? decisions(replay, own) : List.of(),
                1,
                replay.change().bytes(),
                1);
    }

    private static TableWrites writes(Replay replay) {
        Change change = replay.change();
        boolean erase = change.operation() == Operation.ERASE;
        RowWrite row = new RowWrite(
                change.key(),
                change.operation(),
                erase ? Columns.NONE : change.columns(),
                new PartitionId(0, replay.record().partition()),
                change.position());
        return new TableWrites(replay.table(), erase ? List.of(row) : List.of(), erase ? List.of() : List.of(row));
    }

    /** What holds for the other records of the position makes room for what holds for this one. */
    private static List<DecisionRow> decisions(Replay replay, Standing own) {
        return Stream.concat(own.ofPosition().stream(), Stream.of(decision(replay)))
                .toList();
    }

    private static DecisionRow decision(Replay replay) {
        RecordName record = replay.record();
        return new DecisionRow(
                record.topic(),
                record.consumer(),
                record.partition(),
                record.offset(),
                Action.APPLY,
                DecidedBy.REPLAY,
                record.position(),
                "it was left out, and dead letter " + replay.letter() + " was replayed by " + replay.who());
    }

    /** Gives the lock up. */
    public void release() {
        state = null;
        work.release();
    }

    @Override
    public void close() {
        work.close();
        lookup.close();
        session.close();
    }
}
