package io.aardappel.replicator.core;

import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One lock term of a replication: takes in what the source says and decides what to write, what to read and what to commit.
 * A value that decides: {@link #next} answers the same when asked twice, and only {@link #committed} moves the state, so
 * that a failed transaction leaves everything as it was. It knows no clock, no thread and no port. Not thread-safe.
 */
public final class Replication {
    private final List<StreamSpec> streams;
    private final Lanes lanes;
    private final Questions questions;
    private final WholePositions wholes;
    private final Culprits culprits;
    private final Fold fold;
    private final Rules rules;
    private final CutSize size;
    private final Position floor;
    private final Position ceiling;
    private final Position snapshotFrom;
    private final OffsetMirror mirror;
    private ScanPhase phase;
    private Position scanMaximum;
    private Position checkpoint;
    /** Whether the checkpoint is that of a transaction of ours. */
    private boolean vouched;
    /** Everything below it is applied. */
    private Position applied;
    /** What to drain of each lane before the scan's maximum is frozen; null while a live partition is silent. */
    private @Nullable Map<PartitionId, Long> drainTo;

    private @Nullable Decision decided;
    /** The quorum below which nothing was left to apply, though it could not become the checkpoint. */
    private @Nullable Position nothingBelow;

    private long batches;

    /**
     * A batch and what it means for the state.
     *
     * @param end of a cut: everything below it is in the batch; of a batch of the scan what was so before
     * @param firstOf of a batch of the scan: how many changes of each lane are in it, in the order of their offsets
     * @param changes that are in it
     * @param questioned records that were decided about, in it or left out
     * @param atEnd those of the changes that lie at the end: of a cut that falls inside a position
     * @param whole how many changes of a position that was decided about are in it or left out; -1 where none was
     * @param canBeParted whether a part of it may be tried without the rest
     */
    private record Decision(
            Batch batch,
            Position end,
            Map<PartitionId, Integer> firstOf,
            List<Pending> changes,
            List<Questioned> questioned,
            Set<Pending> atEnd,
            int whole,
            boolean canBeParted) {
        void applyTo(Lane lane) {
            if (batch.phase() == ScanPhase.APPLYING) {
                lane.appliedFirst(firstOf.getOrDefault(lane.id, 0));
            } else {
                lane.appliedBelow(end);
                lane.appliedAmong(atEnd);
            }
        }
    }

    /**
     * @param memoryBytes budget of what is buffered
     * @param membership accepted
     * @param decisions all our decision rows
     */
    public Replication(
            List<StreamSpec> streams,
            TransactionBounds bounds,
            long memoryBytes,
            Start start,
            Membership membership,
            List<DecisionRow> decisions,
            Rules rules) {
        this.streams = List.copyOf(streams);
        this.rules = rules;
        this.fold = new Fold(rules.fold(), streams);
        this.size = new CutSize(bounds);
        this.floor = start.floor();
        this.ceiling = start.ceiling();
        this.snapshotFrom = start.snapshotFrom();
        this.mirror = new OffsetMirror(membership, start.succeedsOthers(), rules.explained());
        this.checkpoint = start.checkpoint();
        this.vouched = start.vouched();
        this.applied = start.floor();
        this.scanMaximum = start.scanMaximum();
        this.phase = start.stage() == Stage.INITIAL_SCAN ? ScanPhase.APPLYING : ScanPhase.NONE;
        this.questions = new Questions(this.streams, decisions);
        this.wholes = new WholePositions(decisions);
        this.lanes = new Lanes(this.streams, rules, questions, wholes, mirror, memoryBytes, applied, anchor());
        this.culprits = new Culprits(lanes, questions, wholes, fold);
        if (phase == ScanPhase.NONE) {
            lanes.order();
        }
    }

    // ---- what the source says

    public void described(int stream, List<PartitionInfo> partitions) {
        lanes.described(stream, partitions);
        settle();
    }

    public void sessionStarted(PartitionId partition, long session, long committed, long start, long end) {
        lanes.sessionStarted(partition, session, committed, start, end);
    }

    public void sessionEnded(PartitionId partition, long session) {
        lanes.sessionEnded(partition, session);
    }

    /**
     * Takes in what one session read.
     *
     * @param next where this session goes on after these records
     */
    public void records(PartitionId partition, long session, long[] offsets, List<StreamRecord> records, long next) {
        lanes.records(partition, session, offsets, records, next);
        settle();
    }

    public void partitionEnded(PartitionId partition, long session) {
        lanes.partitionEnded(partition, session);
        settle();
    }

    public void acknowledged(PartitionId partition, long session, long committed) {
        lanes.acknowledged(partition, session, committed);
    }

    /**
     * Takes a decision about a record that was asked about; any other is ignored. May give out {@link Command.Fail} when it
     * cannot be carried out.
     */
    public void decided(PartitionId partition, long offset, DecisionRow.Action action, DecisionRow.DecidedBy by) {
        if (!wholes.decide(partition, offset, action, by)) {
            questions.decide(partition, offset, action, by).ifPresent(lanes::fail);
        }
    }

    // ---- what to do

    /** What is to be done at the source, in order; each is given out once. */
    public List<Command> commands() {
        lanes.relieve(nothingBelow, questions() > 0);
        return lanes.drainCommands();
    }

    /**
     * The next transaction, absent while there is nothing to do; to be asked for while none is under way. Asked twice it
     * answers the same, but it may give out {@link Command.Ask} when a position fits no transaction.
     */
    public Optional<Batch> next() {
        decided = null;
        if (questions() > 0 || lanes.inDoubt().isPresent()) {
            return Optional.empty();
        }
        if (questions.place(applied)) {
            lanes.placed();
            nothingBelow = null;
        }
        if (lanes.childrenWait()) {
            lanes.mirrorOffsets();
        }
        decided = nextDue();
        if (decided == null) {
            decided = phase == ScanPhase.APPLYING ? nextOfScan() : nextCut();
        }
        if (decided == null && !mirror.toWrite().isEmpty()) {
            decided = nextOfRows();
        }
        return Optional.ofNullable(decided).map(Decision::batch);
    }

    /** The batch is durable; only now does the state move. */
    @SuppressWarnings("ReferenceEquality") // the very batch that was decided, not one that equals it
    public void committed(Batch batch) {
        Decision decision = decided;
        if (decision == null || decision.batch() != batch) {
            throw new IllegalStateException("batch " + batch.number() + " is not the one decided last");
        }
        decided = null;
        batches++;
        size.succeeded();
        culprits.cleared(decision.changes().size(), batch.rows());
        if (decision.whole() >= 0) {
            wholes.carriedOut(decision.whole());
        }
        mirror.written();
        scanMaximum = batch.scanMaximum();
        phase = batch.phase();
        checkpoint = batch.checkpoint().orElse(checkpoint);
        if (batch.checkpoint().isPresent()) {
            vouched = true;
            mirror.tookOver();
        }
        applied = decision.end();
        lanes.all().forEach(decision::applyTo);
        questions.carriedOut(decision.questioned());
        lanes.advance(applied, anchor());
        settle();
    }

    /**
     * The batch was certainly not applied and never will be: a row of it is refused. The record that makes this row is
     * asked about, once it is known which it is; until then the next batches are smaller.
     *
     * @param row that is refused, empty when the destination did not say
     */
    @SuppressWarnings("ReferenceEquality") // the very batch that was decided, not one that equals it
    public void refused(Batch batch, Optional<RowWrite> row, Problem why) {
        Decision refused = decided;
        if (refused == null || refused.batch() != batch) {
            throw new IllegalStateException("batch " + batch.number() + " is not the one decided last");
        }
        decided = null;
        boolean whole = refused.whole() >= 0;
        culprits.refused(new Culprits.Refused(refused.changes(), refused.canBeParted(), whole, row, why));
    }

    /** The batch was certainly not applied. */
    public void refused(Batch batch, boolean timedOut) {
        if (timedOut) {
            size.timedOut();
        }
    }

    /**
     * Lets the next transaction note which offsets may be committed by now; when it is durable they are. To be asked for
     * again and again while no transaction is under way, or no offset is committed.
     */
    public void mirrorOffsets() {
        lanes.mirrorOffsets();
    }

    // ---- records that were decided about

    /** Those whose positions were passed and those that are left out: before everything else, and no checkpoint moves. */
    private @Nullable Decision nextDue() {
        List<Questioned> due = questions.due(bounds());
        if (due.isEmpty()) {
            return null;
        }
        List<Pending> changes = new ArrayList<>();
        long bytes = 0;
        for (Questioned questioned : due) {
            Change change = questioned.change().orElse(null);
            if (change != null && questioned.is(DecisionRow.Action.APPLY)) {
                changes.add(new Pending(change, questioned.offset, questioned.lane));
                bytes += change.bytes();
            }
        }
        Batch batch = batch(changes, questions.rows(due), bytes, Optional.empty(), scanMaximum, phase);
        return new Decision(batch, applied, Map.of(), changes, due, Set.of(), -1, changes.size() > 1);
    }

    /** Nothing but our rows about the streams, when there is nothing that they could go with. */
    private Decision nextOfRows() {
        Batch batch = batch(List.of(), List.of(), 0, Optional.empty(), scanMaximum, phase);
        return new Decision(batch, applied, Map.of(), List.of(), List.of(), Set.of(), -1, false);
    }

    // ---- initial scan

    /** As records come, in the order of each partition, parents before their children. */
    private @Nullable Decision nextOfScan() {
        if (lanes.buffered().changes() == 0) {
            return null;
        }
        TransactionBounds bounds = bounds();
        List<Pending> taken = new ArrayList<>();
        Map<PartitionId, Integer> firstOf = new HashMap<>();
        Position maximum = scanMaximum;
        long bytes = 0;
        boolean full = false;
        for (Lane lane : inScanOrder()) {
            int count = 0;
            for (Pending pending : lane.arrivals()) {
                long bytesThen = bytes + pending.change().bytes();
                full = !taken.isEmpty() && (taken.size() >= bounds.targetRows() || bytesThen > bounds.targetBytes());
                if (full || pending.offset >= drainLimit(lane)) {
                    break;
                }
                taken.add(pending);
                count++;
                bytes = bytesThen;
                maximum = Start.later(maximum, pending.position());
            }
            if (count > 0) {
                firstOf.put(lane.id, count);
            }
            if (full) {
                break;
            }
        }
        if (taken.isEmpty()) {
            return null;
        }
        List<Questioned> questioned = questions.among(taken);
        Batch batch = batch(taken, questions.rows(questioned), bytes, Optional.empty(), maximum, ScanPhase.APPLYING);
        return new Decision(batch, applied, firstOf, taken, questioned, Set.of(), -1, taken.size() > 1);
    }

    /** By depth; beginning with another lane each time, so that a fast partition starves no other. */
    private List<Lane> inScanOrder() {
        List<Lane> order = new ArrayList<>();
        for (Lane lane : lanes.all()) {
            if (lane.changes() > 0) {
                order.add(lane);
            }
        }
        if (!order.isEmpty()) {
            Collections.rotate(order, (int) (batches % order.size()));
        }
        order.sort(Comparator.comparingInt(lane -> lane.depth));
        return order;
    }

    private long drainLimit(Lane lane) {
        return drainTo == null ? Long.MAX_VALUE : drainTo.getOrDefault(lane.id, 0L);
    }

    /** Moves a scan on: when every live partition has spoken, what is buffered is drained and the maximum is frozen. */
    private void settle() {
        if (phase != ScanPhase.APPLYING) {
            return;
        }
        if (drainTo == null && lanes.quorum().complete()) {
            Map<PartitionId, Long> limits = new HashMap<>();
            lanes.all().forEach(lane -> limits.put(lane.id, lane.next()));
            drainTo = limits;
        }
        if (drainTo != null && decided == null && lanes.all().stream().allMatch(this::drained)) {
            phase = ScanPhase.CLOSING;
            lanes.order();
        }
    }

    private boolean drained(Lane lane) {
        return lane.changes() == 0 || lane.firstPending() >= drainLimit(lane);
    }

    // ---- cuts

    private @Nullable Decision nextCut() {
        Position quorum = lanes.quorum().position().orElse(null);
        if (quorum == null || quorum.compareTo(applied) <= 0) {
            return null;
        }
        if (quorum.equals(nothingBelow)) {
            return null;
        }
        Position whole = wholes.decided();
        Position reach = quorum;
        if (whole != null && whole.isBefore(quorum)) {
            if (Cut.below(whole, lanes.all(), bounds(), this::mayPart).isEmpty()) {
                return nextWhole(whole);
            }
            reach = whole; // late changes were put below it
        }
        Cut cut = Cut.below(reach, lanes.all(), bounds(), this::mayPart);
        Cut.Oversized oversized = cut.oversized();
        if (oversized != null) {
            culprits.askAboutAll(Cut.of(oversized.position(), lanes.all()), tooLarge(oversized));
            Position recalled = wholes.decided();
            return recalled == null ? null : nextWhole(recalled);
        }
        boolean moves = mayCheckpoint(cut.end());
        if (!moves && cut.changes().isEmpty()) {
            nothingBelow = quorum;
            return null;
        }
        nothingBelow = null;
        Optional<Position> moved = moves ? Optional.of(cut.end()) : Optional.empty();
        ScanPhase then = moves ? ScanPhase.NONE : phase;
        List<Questioned> questioned = questions.among(cut.changes());
        Batch batch = batch(cut.changes(), questions.rows(questioned), cut.bytes(), moved, scanMaximum, then);
        return new Decision(
                batch, cut.end(), Map.of(), cut.changes(), questioned, cut.atEnd(), -1, canBeParted(cut.changes()));
    }

    /**
     * Whether a cut may fall between changes of these two positions. In a scan it may fall inside a position up to the maximum:
     * some of its changes may have been applied as they came, and no checkpoint is written there. So such a position is neither
     * too large nor left out as a whole.
     */
    private boolean mayPart(Position before, Position after) {
        boolean inScan = phase != ScanPhase.NONE && !scanMaximum.isBefore(after);
        return inScan || rules.border().test(before, after);
    }

    private boolean canBeParted(List<Pending> cut) {
        int last = cut.size() - 1;
        return last > 0 && mayPart(cut.get(0).position(), cut.get(last).position());
    }

    /** All changes of a position in one transaction, or none of them but those that were decided about singly. */
    private Decision nextWhole(Position position) {
        nothingBelow = null;
        List<Pending> changes = Cut.of(position, lanes.all());
        boolean apply = wholes.actionOf(position) == DecisionRow.Action.APPLY_ALL;
        List<Pending> written = changes.stream()
                .filter(one -> apply || questions.isDecided(one))
                .toList();
        long bytes = written.stream().mapToLong(one -> one.change().bytes()).sum();
        boolean moves = mayCheckpoint(position.next());
        Optional<Position> moved = moves ? Optional.of(position.next()) : Optional.empty();
        List<Questioned> questioned = questions.among(written);
        List<DecisionRow> decisions = new ArrayList<>(questions.rows(questioned));
        decisions.addAll(wholes.rows());
        Batch batch = batch(written, decisions, bytes, moved, scanMaximum, moves ? ScanPhase.NONE : phase);
        return new Decision(batch, position.next(), Map.of(), written, questioned, Set.of(), changes.size(), false);
    }

    private boolean mayCheckpoint(Position end) {
        boolean aboveScan = phase == ScanPhase.NONE || scanMaximum.isBefore(end);
        return aboveScan && !end.isBefore(ceiling);
    }

    private Batch batch(
            List<Pending> changes,
            List<DecisionRow> decisions,
            long bytes,
            Optional<Position> moved,
            Position maximum,
            ScanPhase then) {
        List<TableWrites> tables = fold.fold(changes);
        int rowCount = tables.stream().mapToInt(TableWrites::rows).sum();
        Stage stage = then == ScanPhase.NONE ? Stage.RUN : Stage.INITIAL_SCAN;
        return new Batch(
                batches + 1,
                tables,
                moved,
                stage,
                maximum,
                then,
                mirror.toWrite(),
                decisions,
                rowCount,
                bytes,
                changes.size());
    }

    private Problem tooLarge(Cut.Oversized oversized) {
        return new Problem(
                Reason.OVERSIZED_POSITION,
                "position %s (%s) has at least %d changes of %d bytes, more than one transaction may hold"
                        .formatted(
                                oversized.position(),
                                lanes.problems().name(oversized.first().lane.id),
                                oversized.rows(),
                                oversized.bytes()),
                "Order in the command queue (cmd_queue) to apply it, in one transaction of that size, or to skip it; or raise"
                        + " replicator.transaction_rows_max and transaction_bytes_max; then set state to OK and start again");
    }

    private TransactionBounds bounds() {
        return culprits.narrow(size.now());
    }

    /** What the committed offsets must let a successor see again: the witness is the first barrier at or above it. */
    private Position anchor() {
        if (phase != ScanPhase.NONE) {
            return scanMaximum;
        }
        return applied.isBefore(ceiling) ? floor : checkpoint;
    }

    // ---- what is known

    public Stage stage() {
        return phase == ScanPhase.NONE ? Stage.RUN : Stage.INITIAL_SCAN;
    }

    public ScanPhase phase() {
        return phase;
    }

    public Position scanMaximum() {
        return scanMaximum;
    }

    /** Last durable checkpoint. */
    public Position checkpoint() {
        return checkpoint;
    }

    /** Whether the destination is a snapshot of the source at the checkpoint. */
    public boolean aligned() {
        return phase == ScanPhase.NONE && vouched && !applied.isBefore(snapshotFrom);
    }

    /** The position below which everything was read, absent while a live partition has not spoken. */
    public Optional<Position> quorum() {
        return lanes.quorum().position();
    }

    /** The partition that progress waits for when it waits for the source; absent before any is known. */
    public Optional<PartitionId> holder() {
        return Optional.ofNullable(lanes.quorum().holder());
    }

    /** Records that wait for a decision. */
    public int questions() {
        return questions.open() + (wholes.open() ? 1 : 0);
    }

    /** A partition of which it is not known if records were lost, which is asked; nothing is applied until it is. */
    public Optional<PartitionId> inDoubt() {
        return lanes.inDoubt();
    }

    public long bufferedBytes() {
        return lanes.buffered().bytes();
    }

    public long bufferedChanges() {
        return lanes.buffered().changes();
    }

    public Counters counters() {
        return lanes.counters().withDecided(wholes.applied(), wholes.skipped());
    }

    /** Every partition that is live or still has something to apply or to commit. */
    public List<PartitionView> partitions() {
        return lanes.views();
    }

    /** Our rows about the streams, in configured order. */
    public List<StreamRow> rows() {
        return mirror.rows();
    }

    /** How many changes of each stream are in the batch that was decided last and is not yet committed. */
    public int[] decidedChanges() {
        int[] counts = new int[streams.size()];
        if (decided != null) {
            decided.changes().forEach(pending -> counts[pending.lane.id.stream()]++);
        }
        return counts;
    }
}
