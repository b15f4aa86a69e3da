package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.TableWrites;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.engine.TargetEvent.Blame;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.Fenced;
import io.aardappel.replicator.engine.TargetEvent.Refused;
import io.aardappel.replicator.engine.TargetEvent.Retryable;
import io.aardappel.replicator.ydb.target.DestinationTables.Reading;
import io.aardappel.replicator.ydb.target.StateLoss.Extent;
import io.aardappel.replicator.ydb.target.StateLoss.Sighting;
import io.aardappel.replicator.ydb.target.StateLoss.Traces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/** What the target's thread does for each of its commands. One thread only. */
final class DestinationWork implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DestinationWork.class);

    private final TableSession session;
    private final StateStatements statements;
    private final StateTables stateTables;
    private final Retries retries;
    private final Lock lock;
    private final Loading loading;
    private final FencedTransactions transactions;
    private final TargetSettings settings;
    private final DestinationTables tables;
    private final BlockedKeys blocked;
    private final CommitDiscipline discipline;
    private final StateLoss loss;
    private final YdbTarget.Identity identity;
    private boolean tablesThere;
    private @Nullable Term term;
    /** What the state row said when it was last known; null before it is. */
    private @Nullable Sighting known;
    /** The last that was known of it and was more than a beginning; null when nothing ever was. */
    private @Nullable Sighting begun;
    /** Our stream rows as they were read or written last in this term. */
    private final List<StreamRow> recorded = new ArrayList<>();

    /** That of the loop. */
    DestinationWork(
            Calls calls,
            YdbTarget.Identity identity,
            TargetSettings settings,
            DestinationTables tables,
            BlockedKeys blocked,
            CommitDiscipline discipline) {
        this(calls, identity, settings, tables, blocked, discipline, Retries::new);
    }

    /** That of a command that a person gave. */
    static DestinationWork forAPerson(
            Calls calls, YdbTarget.Identity identity, TargetSettings settings, DestinationTables tables) {
        return new DestinationWork(
                calls, identity, settings, tables, BlockedKeys.none(), CommitDiscipline.SOUND, Retries::forAPerson);
    }

    private DestinationWork(
            Calls calls,
            YdbTarget.Identity identity,
            TargetSettings settings,
            DestinationTables tables,
            BlockedKeys blocked,
            CommitDiscipline discipline,
            BiFunction<TableSession, TargetSettings, Retries> retries) {
        this.identity = identity;
        this.settings = settings;
        this.tables = tables;
        this.blocked = blocked;
        this.discipline = discipline;
        this.session = new TableSession(calls);
        this.statements = new StateStatements(identity.stateTable(), identity.instanceId(), settings.lockTtl());
        this.stateTables = new StateTables(
                session,
                new Descriptions(calls, settings.callTimeout()),
                statements,
                settings,
                calls.database(),
                identity.stateTable());
        this.retries = retries.apply(session, settings);
        this.lock = new Lock(this.retries, statements, identity.hostname());
        this.loading = new Loading(this.retries, statements, settings.returnedRows(), identity);
        this.loss = new StateLoss(identity, calls.database());
        this.transactions = new FencedTransactions(session, statements, settings, discipline);
    }

    TargetEvent acquire() {
        term = null;
        if (!tablesThere) {
            Optional<TargetEvent> hindrance = known == null ? begin() : mend();
            if (hindrance.isPresent()) {
                return hindrance.get();
            }
            tablesThere = true;
        }
        TargetEvent answer = lock.acquire();
        lock.seen().ifPresent(this::saw);
        tablesThere = !lock.isRowGone();
        return tablesThere || known == null ? answer : lost(Failure.words(answer));
    }

    private void saw(Sighting row) {
        known = row;
        begun = row.isBeyondTheBeginning() ? row : begun;
    }

    /** Makes what is absent for a process that has not seen the row yet; but not where ours tell that it was there. */
    private Optional<TargetEvent> begin() {
        Result<ExecuteQueryResult> row = retries.run(statements.readLock());
        Status status = row.getStatus();
        boolean hasTable = status.getCode() != StatusCode.SCHEME_ERROR;
        if (row.isSuccess() && row.getValue().getResultSets(0).getRowsCount() > 0) {
            return unlessEmpty(stateTables.ensure());
        }
        if (!row.isSuccess() && Failure.ofRead(status.getCode()) != Failure.PERMANENT) {
            return Optional.of(new TargetEvent.LockUnknown(Failure.told(status)));
        }
        Answer<Traces> traces = loading.traces();
        if (traces instanceof Answer.Unreadable<Traces> unreadable) {
            return Optional.of(new TargetEvent.LockUnknown(unreadable.why()));
        }
        if (((Answer.Read<Traces>) traces).value().tellOfAnInstance()) {
            boolean mayBeThere = !row.isSuccess() && hasTable;
            return Optional.of(
                    mayBeThere
                            ? new TargetEvent.LockUnknown(Failure.told(status))
                            : lost(hasTable ? Extent.ROW : Extent.TABLE));
        }
        return unlessEmpty(stateTables.ensure());
    }

    /** Makes anew what is gone of ours, where the row is still there. */
    private Optional<TargetEvent> mend() {
        Result<ExecuteQueryResult> row = retries.run(statements.readLock());
        if (!row.isSuccess()) {
            return Optional.of(
                    row.getStatus().getCode() == StatusCode.SCHEME_ERROR
                            ? lost(Failure.told(row.getStatus()))
                            : new TargetEvent.LockUnknown(Failure.told(row.getStatus())));
        }
        return row.getValue().getResultSets(0).getRowsCount() == 0
                ? Optional.of(lost(Extent.ROW))
                : unlessEmpty(stateTables.ensureBeside());
    }

    private static Optional<TargetEvent> unlessEmpty(List<String> problems) {
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(new TargetEvent.LockUnknown(String.join("; ", problems)));
    }

    /**
     * The row that was there is not found.
     *
     * @param words of the server
     */
    private TargetEvent lost(String words) {
        Result<ExecuteQueryResult> row = retries.run(statements.readLock());
        if (row.isSuccess()) {
            return row.getValue().getResultSets(0).getRowsCount() == 0
                    ? lost(Extent.ROW)
                    : new TargetEvent.LockUnknown(words); // it was hidden for a moment
        }
        return row.getStatus().getCode() == StatusCode.SCHEME_ERROR
                        && stateTables.presence() == Descriptions.Presence.ABSENT
                ? lost(Extent.TABLE)
                : new TargetEvent.LockUnknown(words);
    }

    private TargetEvent lost(Extent extent) {
        return new TargetEvent.LockFatal(problem(extent));
    }

    private Problem problem(Extent extent) {
        Optional<Traces> traces =
                loading.traces() instanceof Answer.Read<Traces> read ? Optional.of(read.value()) : Optional.empty();
        return loss.problem(extent, Optional.ofNullable(extent == Extent.REPLACED ? begun : known), traces);
    }

    /**
     * Takes the lock and reads the state, for an act of a person.
     *
     * @param patience how long to wait for the lock
     */
    Locking lock(Duration patience) {
        TargetEvent answer = acquire(patience);
        if (answer instanceof TargetEvent.LockBusy busy) {
            return new Locking.Busy(busy.owner());
        }
        if (!(answer instanceof TargetEvent.LockHeld)) {
            return new Locking.Failed("the lock could not be taken: " + Failure.words(answer));
        }
        answer = load();
        if (answer instanceof TargetEvent.Loaded loaded) {
            return new Locking.Held(loaded.state());
        }
        release();
        return new Locking.Failed("the rows could not be read: " + Failure.words(answer));
    }

    /** Tries until the lock is held or the patience is at its end; where it is not answered, as often as any call. */
    private TargetEvent acquire(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        TargetEvent answer = acquire();
        int tries = 1;
        while (!(answer instanceof TargetEvent.LockHeld)
                && !(answer instanceof TargetEvent.LockFatal)
                && (System.nanoTime() < end
                        || (answer instanceof TargetEvent.LockUnknown && tries < settings.callTries()))) {
            backoff.pause();
            answer = acquire();
            tries++;
        }
        return answer;
    }

    /** Commits for a person: what was surely not done is tried as often as any call. */
    TargetEvent commitForAPerson(Batch batch) {
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        TargetEvent answer = commit(batch);
        for (int tries = 1; answer instanceof Retryable && tries < settings.callTries(); tries++) {
            backoff.pause();
            answer = commit(batch);
        }
        return answer;
    }

    TargetEvent renew() {
        return lock.renew();
    }

    /** Why everything is to be read anew; absent as a rule. */
    Optional<TargetEvent> readAnew() {
        return blocked.haveChanged(retries::run, settings.returnedRows())
                ? Optional.of(new TargetEvent.ReadAnew("the table of blocked keys has changed"))
                : Optional.empty();
    }

    TargetEvent release() {
        term = null;
        if (!lock.release()) {
            log.warn(
                    "the lock could not be given up, it ends by itself after {} s",
                    settings.lockTtl().toSeconds());
        }
        return new TargetEvent.LockReleased();
    }

    TargetEvent load() {
        term = null;
        Optional<String> owner = lock.owner();
        if (owner.isEmpty()) {
            return new TargetEvent.LoadRetryable("the lock is not held");
        }
        Optional<String> unread = blocked.read(retries::run, settings.returnedRows());
        if (unread.isPresent()) {
            return new TargetEvent.LoadRetryable(unread.get());
        }
        Loading.Outcome outcome = loading.load(owner.get());
        if (outcome instanceof Loading.Outcome.Read state) {
            if (begun != null && isAnother(state.saved())) {
                return new TargetEvent.LoadFatal(problem(Extent.REPLACED));
            }
            term = state.term();
            saw(new Sighting(state.term().checkpoint(), state.term().stage()));
            recorded.clear();
            recorded.addAll(state.saved().streams());
            return new TargetEvent.Loaded(state.saved().with(tables.created()));
        }
        if (outcome instanceof Loading.Outcome.Absent) {
            return new TargetEvent.LoadFatal(problem(Extent.ROW));
        }
        if (outcome instanceof Loading.Outcome.NotOurs other) {
            return new TargetEvent.LoadRetryable("the lock is held by " + other.holder());
        }
        if (outcome instanceof Loading.Outcome.Invalid invalid) {
            return new TargetEvent.LoadFatal(invalid.problem());
        }
        if (outcome instanceof Loading.Outcome.Unanswered unanswered) {
            return new TargetEvent.LoadRetryable(Failure.told(unanswered.status()));
        }
        throw new IllegalStateException("unknown outcome " + outcome);
    }

    /** Whether it is that of an instance which has not begun. */
    private static boolean isAnother(SavedState saved) {
        return saved.stage() == Stage.INITIAL_SCAN
                && saved.checkpoint().equals(Position.ZERO)
                && saved.streams().isEmpty()
                && saved.instance()
                        .map(InstanceRow::vouched)
                        .orElse(Position.ZERO)
                        .equals(Position.ZERO);
    }

    /** Reads without the lock; changes nothing. */
    Loading.Outcome peek() {
        return loading.peek();
    }

    TargetEvent commit(Batch batch) {
        return commit(batch, List.of());
    }

    /** @param further statements of the same transaction */
    TargetEvent commit(Batch batch, List<Statement> further) {
        Term current = term;
        if (current == null) {
            return new Fenced(batch.number(), "nothing was loaded in this lock term");
        }
        List<Statement> rows = new ArrayList<>();
        for (TableWrites writes : batch.tables()) {
            Optional<TargetEvent> refused = addStatements(batch, writes, rows);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        rows.addAll(further);
        FencedTransactions.Outcome outcome =
                discipline.checkpointWithRows() ? together(current, batch, rows) : apart(current, batch, rows);
        return event(batch, outcome);
    }

    private Optional<TargetEvent> addStatements(Batch batch, TableWrites writes, List<Statement> rows) {
        Optional<TableShape> shape = tables.known(writes.table());
        if (shape.isEmpty()) {
            Reading reading = tables.read(writes.table());
            if (!(reading instanceof Reading.Known known)) {
                return Optional.of(
                        new Retryable(batch.number(), "DESCRIBE", writes.table() + ": " + reading.why(), false));
            }
            shape = Optional.of(known.shape());
        }
        RowStatements.Outcome made = RowStatements.of(writes, shape.get(), settings);
        rows.addAll(made.statements());
        return made.refusal()
                .map(refusal -> refusal.outdated()
                        ? new TargetEvent.Outdated(
                                batch.number(), refusal.problem().what())
                        : new Refused(batch.number(), refusal.problem(), Optional.of(refusal.row()), Blame.THIS_ROW));
    }

    private FencedTransactions.Outcome together(Term current, Batch batch, List<Statement> rows) {
        Optional<Claim> claim = Claim.of(identity, batch.streams(), recorded);
        Optional<Position> vouched = current.instanceRowThere() ? Optional.empty() : Optional.of(current.checkpoint());
        FencedTransactions.Outcome outcome =
                transactions.run(current, rows, mark -> statements.mark(mark, batch, vouched), claim);
        if (outcome instanceof FencedTransactions.Outcome.Applied) {
            current.committed(batch);
            saw(new Sighting(current.checkpoint(), current.stage()));
            claim.ifPresent(begun -> recorded.addAll(batch.streams()));
        }
        return outcome;
    }

    /** A planted fault: rows first, the checkpoint in a transaction of its own. */
    private FencedTransactions.Outcome apart(Term current, Batch batch, List<Statement> rows) {
        FencedTransactions.Outcome first = transactions.run(current, rows, statements::fence);
        if (!(first instanceof FencedTransactions.Outcome.Applied)) {
            return first;
        }
        current.marked();
        return together(current, batch, List.of());
    }

    private TargetEvent event(Batch batch, FencedTransactions.Outcome outcome) {
        long number = batch.number();
        if (outcome instanceof FencedTransactions.Outcome.Applied) {
            return new Committed(number);
        }
        if (outcome instanceof FencedTransactions.Outcome.Lost lost) {
            term = null;
            return new Fenced(number, lost.why());
        }
        if (outcome instanceof FencedTransactions.Outcome.NotApplied not) {
            return new Retryable(
                    number,
                    Failure.cause(not.status()),
                    Failure.told(not.status()),
                    Failure.isTimeout(not.status().getCode()));
        }
        if (outcome instanceof FencedTransactions.Outcome.RowMissing missing) {
            return new Refused(number, Problems.rowMissing(missing), Optional.of(missing.row()), Blame.THIS_ROW);
        }
        if (outcome instanceof FencedTransactions.Outcome.Claimed claimed) {
            return new Refused(number, claimed.problem(), Optional.empty(), Blame.NO_ROW);
        }
        if (outcome instanceof FencedTransactions.Outcome.Refused refused) {
            return refused(batch, refused);
        }
        throw new IllegalStateException("unknown outcome " + outcome);
    }

    /** Before it is called hopeless the tables are looked at again: ours, and those that the rows are for. */
    private TargetEvent refused(Batch batch, FencedTransactions.Outcome.Refused refused) {
        Optional<TargetEvent> forOurs = forOurTables(batch, refused);
        return forOurs.isPresent() ? forOurs.get() : forItsTables(batch, refused);
    }

    /**
     * Ours may be gone, of which all but the state table are made again. Or they were hidden for a moment and are all there when they are looked for: then it is tried again,
     * as long as the engine tries anything that may pass.
     */
    private Optional<TargetEvent> forOurTables(Batch batch, FencedTransactions.Outcome.Refused refused) {
        Status status = refused.status();
        if (status.getCode() != StatusCode.SCHEME_ERROR) {
            return Optional.empty();
        }
        Optional<String> gone = stateTables.absent();
        if (gone.isPresent()) {
            term = null;
            tablesThere = false;
            return Optional.of(new Fenced(batch.number(), "table " + gone.get() + " is gone"));
        }
        boolean aboutOurs = refused.beforeRows() || batch.tables().isEmpty();
        return aboutOurs
                ? Optional.of(new Retryable(batch.number(), Failure.cause(status), Failure.told(status), false))
                : Optional.empty();
    }

    /** They may have changed since their shapes were read. */
    private TargetEvent forItsTables(Batch batch, FencedTransactions.Outcome.Refused refused) {
        Status status = refused.status();
        boolean changed = false;
        for (TableWrites writes : batch.tables()) {
            Reading reading = tables.read(writes.table());
            if (reading instanceof Reading.Incompatible incompatible) {
                return new Refused(
                        batch.number(), Problems.incompatible(incompatible.why()), firstOf(writes), Blame.NO_ROW);
            }
            changed |= reading instanceof Reading.Known known && known.changed();
        }
        if (changed) {
            return new Retryable(batch.number(), "SCHEMA_CHANGED", StatusText.of(status), false);
        }
        String names = batch.tables().stream().map(TableWrites::table).collect(Collectors.joining(", "));
        boolean forARow = !refused.beforeRows() && batch.rows() > 0 && Failure.mayBeForAValue(status.getCode());
        return new Refused(
                batch.number(),
                Problems.refused(names, status),
                Optional.empty(),
                forARow ? Blame.SOME_ROW : Blame.NO_ROW);
    }

    private static Optional<RowWrite> firstOf(TableWrites writes) {
        return Stream.concat(writes.erases().stream(), writes.writes().stream()).findFirst();
    }

    TargetEvent writeFatal(Problem problem) {
        Term current = term;
        if (current == null) {
            return new TargetEvent.FatalNotWritten("nothing was loaded in this lock term");
        }
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        String why = "";
        for (int tries = 0; tries < settings.callTries(); tries++) {
            FencedTransactions.Outcome outcome =
                    transactions.run(current, List.of(), mark -> statements.fatal(mark, problem.text()));
            if (outcome instanceof FencedTransactions.Outcome.Applied) {
                current.marked();
                return new TargetEvent.FatalWritten();
            }
            if (outcome instanceof FencedTransactions.Outcome.Lost lost) {
                term = null;
                return new TargetEvent.FatalNotWritten(lost.why());
            }
            why = outcome.toString();
            backoff.pause();
        }
        return new TargetEvent.FatalNotWritten(why);
    }

    @Override
    public void close() {
        session.close();
    }
}
