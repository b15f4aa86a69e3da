package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import io.aardappel.replicator.core.StreamRecord.Wording;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All partitions together: takes in what the source says, knows how far everything is complete, and says what to read, to
 * confirm and to commit. Not thread-safe.
 */
final class Lanes {
    private final Problems problems;
    private final int[] topicRanks;
    private final List<PartitionGraph> graphs = new ArrayList<>();
    private final NavigableMap<PartitionId, Lane> lanes = new TreeMap<>();
    private final Quorum quorum;
    private final Rules rules;
    private final long memoryBytes;
    private final MemoryPolicy memory;
    private final Buffered buffered = new Buffered();
    private final Gaps gaps = new Gaps();
    private final OffsetCommits commits;
    private final Intake intake = new Intake();
    private final List<Command> commands = new ArrayList<>();
    /** Everything below it was applied when this term began. */
    private final Position floor;

    private Position applied;
    private Position anchor;
    private boolean ordered;
    private final Questions questions;
    private final WholePositions wholes;

    /**
     * @param applied everything below it is applied
     * @param anchor offsets are committed up to the first barrier at or above it
     */
    Lanes(
            List<StreamSpec> streams,
            Rules rules,
            Questions questions,
            WholePositions wholes,
            OffsetMirror mirror,
            long memoryBytes,
            Position applied,
            Position anchor) {
        this.problems = new Problems(streams);
        this.rules = rules;
        this.quorum = new Quorum(rules.quorumOrder());
        this.questions = questions;
        this.wholes = wholes;
        this.memoryBytes = memoryBytes;
        this.memory = new MemoryPolicy(memoryBytes);
        this.floor = applied;
        this.applied = applied;
        this.anchor = anchor;
        List<String> topics = streams.stream().map(StreamSpec::topic).sorted().toList();
        this.topicRanks = streams.stream()
                .mapToInt(stream -> topics.indexOf(stream.topic()))
                .toArray();
        streams.forEach(stream -> graphs.add(new PartitionGraph()));
        this.commits = new OffsetCommits(streams, lanes, graphs, gaps, mirror, commands::add);
    }

    // ---- what the source says

    void described(int stream, List<PartitionInfo> partitions) {
        partitions.forEach(info -> commits.compare(new PartitionId(stream, info.id()), info.committedOffset(), false));
        List<PartitionGraph.Handover> steps = new ArrayList<>(graphs.get(stream).described(partitions));
        steps.forEach(step -> handOver(stream, step));
        for (PartitionInfo info : partitions) {
            PartitionId id = new PartitionId(stream, info.id());
            gaps.described(id, info.startOffset())
                    .ifPresent(gap -> fail(problems.historyLost(id, info.startOffset(), gap.from(), gap.to())));
            Lane lane = lanes.get(id);
            if (lane == null || lane.reading.ended) {
                continue;
            }
            lane.reading.acknowledge(info.committedOffset());
            questions.forget(id, lane.reading.acknowledged());
            lane.reading.endsAt(info.endOffset());
            boolean committedToEnd = lane.next() == Lane.UNREAD && info.committedOffset() >= info.endOffset();
            if (!info.active() && (committedToEnd || lane.next() >= info.endOffset())) {
                readToEnd(lane);
            }
        }
        openLanes(stream);
        boolean incomplete =
                ofStream(stream).stream().anyMatch(lane -> graphs.get(stream).awaitsDescription(lane.id.partition()));
        if (incomplete || gaps.inStream(stream)) {
            commands.add(new Command.Describe(stream));
        }
    }

    void sessionStarted(PartitionId partition, long session, long committed, long start, long end) {
        Lane lane = lanes.get(partition);
        if (lane == null) {
            return;
        }
        long from = lane.next() == Lane.UNREAD ? committed : lane.next();
        Optional<Problem> problem =
                refuses(partition, from, lane.reading.acknowledged(), new Offsets(committed, start, end));
        if (problem.isPresent()) {
            fail(problem.get());
            return;
        }
        if (!commits.compare(partition, committed, true)) {
            return;
        }
        lane.readFrom(from);
        lane.reading.begin(session, committed, lane.reading.ended ? lane.reading.end() : end);
        commands.add(new Command.Confirm(partition, session, from));
    }

    /** Nothing can go on. */
    void fail(Problem problem) {
        commands.add(new Command.Fail(problem));
    }

    /** What the server says at the start of a session. */
    private record Offsets(long committed, long start, long end) {}

    private Optional<Problem> refuses(PartitionId partition, long from, long acknowledged, Offsets server) {
        if (server.start > from) {
            return Optional.of(problems.historyLost(partition, server.start, from, server.start));
        }
        if (server.committed > from || server.committed < acknowledged || server.end < from) {
            return Optional.of(problems.moved(partition, server.committed, server.end, from, acknowledged));
        }
        return Optional.empty();
    }

    void sessionEnded(PartitionId partition, long session) {
        Lane lane = lanes.get(partition);
        if (lane != null && lane.reading.is(session)) {
            lane.reading.close(lane.reading.parked);
        }
    }

    void records(PartitionId partition, long session, long[] offsets, List<StreamRecord> records, long next) {
        Lane lane = lanes.get(partition);
        if (lane == null || !lane.reading.is(session)) {
            return;
        }
        long expected = lane.next();
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] < expected) {
                intake.duplicates++;
                continue;
            }
            if (offsets[i] > expected) {
                gaps.found(partition, expected, offsets[i]);
                commands.add(new Command.Describe(partition.stream()));
            }
            intake.take(lane, offsets[i], records.get(i));
            expected = offsets[i] + 1;
        }
        lane.readUpTo(next);
        if (lane.reading.ended) {
            speak(lane);
        }
    }

    void partitionEnded(PartitionId partition, long session) {
        Lane lane = lanes.get(partition);
        if (lane == null || !lane.reading.is(session)) {
            return;
        }
        if (lane.reading.ended) {
            speak(lane);
        } else {
            gaps.ended(partition, lane.next());
            commands.add(new Command.Describe(partition.stream()));
            readToEnd(lane);
            openLanes(partition.stream());
        }
    }

    void acknowledged(PartitionId partition, long session, long committed) {
        Lane lane = lanes.get(partition);
        if (lane != null && lane.reading.is(session)) {
            lane.reading.acknowledge(committed);
            questions.forget(partition, lane.reading.acknowledged());
            if (dropFinished(List.of(lane))) {
                dropFinished(ofStream(partition.stream()));
            }
        }
    }

    // ---- partitions that split and merge

    private void readToEnd(Lane lane) {
        lane.reading.ended = true;
        lane.reading.endsAt(lane.next() == Lane.UNREAD ? lane.reading.end() : lane.next());
        PartitionGraph graph = graphs.get(lane.id.stream());
        graph.readToEnd(lane.id.partition()).forEach(step -> handOver(lane.id.stream(), step));
        speak(lane);
        if (graph.awaitsDescription(lane.id.partition())) {
            commands.add(new Command.Describe(lane.id.stream()));
        }
    }

    private void handOver(int stream, PartitionGraph.Handover step) {
        for (PartitionGraph.Entry entry : step.entering()) {
            PartitionId id = new PartitionId(stream, entry.id());
            Position inherited = minimumOf(stream, entry.parents());
            Lane lane = new Lane(id, topicRanks[stream], entry.depth(), inherited, buffered, rules.shed());
            if (ordered) {
                lane.order();
            }
            lanes.put(id, lane);
            speak(lane);
        }
        for (long leaving : step.leaving()) {
            Lane lane = lanes.get(new PartitionId(stream, leaving));
            if (lane != null) {
                lane.reading.left = true;
                speak(lane);
            }
        }
    }

    /** Nothing when one of the parents has not spoken: its children may hold anything it might have held. */
    private @Nullable Position minimumOf(int stream, Set<Long> parents) {
        Position minimum = null;
        for (long parent : parents) {
            Lane lane = lanes.get(new PartitionId(stream, parent));
            Position spoken = lane == null ? null : lane.spoken();
            if (spoken == null) {
                return null;
            }
            minimum = minimum == null ? spoken : rules.inherited().apply(minimum, spoken);
        }
        return minimum;
    }

    private void openLanes(int stream) {
        dropFinished(ofStream(stream));
        for (Lane lane : ofStream(stream)) {
            if (!lane.reading.wanted) {
                lane.reading.wanted = true;
                commands.add(new Command.Open(lane.id));
            }
        }
    }

    private Collection<Lane> ofStream(int stream) {
        return PartitionId.ofStream(lanes, stream).values();
    }

    /**
     * Partitions that left and of which nothing is to be applied or committed any more; their children may commit now. One that
     * holds nothing stays until its parents are done, or its children would not wait for these.
     *
     * @return whether there were any
     */
    private boolean dropFinished(Collection<Lane> candidates) {
        boolean dropped = false;
        for (Lane lane : List.copyOf(candidates)) {
            boolean done = lane.reading.left && lane.reading.finished() && lane.changes() == 0;
            if (done && !gaps.in(lane.id) && commits.parentsAreDone(lane.id)) {
                lane.forget();
                lanes.remove(lane.id);
                dropped = true;
                if (lane.reading.wanted) {
                    commands.add(new Command.Release(lane.id));
                }
            }
        }
        if (dropped) {
            commits.commit(anchor);
        }
        return dropped;
    }

    // ---- completeness, order, offsets

    /** A partition that left the live ones stays in the quorum while something of it is to be read again. */
    private void speak(Lane lane) {
        if (lane.holdsNothingBack()) {
            quorum.leave(lane.id);
            return;
        }
        quorum.enter(lane.id);
        Position complete = lane.complete();
        if (complete == null) {
            quorum.unset(lane.id);
        } else {
            quorum.set(lane.id, complete);
        }
    }

    /** Changes were put among those that were read: how far partitions are complete may have changed. */
    void placed() {
        lanes.values().forEach(this::speak);
    }

    /** From now on changes are kept by position. */
    void order() {
        ordered = true;
        lanes.values().forEach(Lane::order);
    }

    Collection<Lane> all() {
        return lanes.values();
    }

    Quorum quorum() {
        return quorum;
    }

    Buffered buffered() {
        return buffered;
    }

    /** A partition of which it is not known if records were lost: nothing may be applied until it is. */
    Optional<PartitionId> inDoubt() {
        return gaps.any();
    }

    /** A transaction is durable: what may be committed now is asked for. */
    void advance(Position nowApplied, Position nowAnchor) {
        applied = nowApplied;
        anchor = nowAnchor;
        commits.commit(anchor);
        dropFinished(lanes.values());
    }

    /** Whether a partition that was split or merged could be committed further, which its children may wait for. */
    boolean childrenWait() {
        return commits.childrenWait();
    }

    /** Has noted what could be committed. Only while no transaction is under way. */
    void mirrorOffsets() {
        commits.note(anchor);
    }

    // ---- memory

    /**
     * Parks, resumes and sheds as the budget demands.
     *
     * @param nothingBelow a quorum below which nothing is left to apply, null when there is none above what is applied
     * @param undecided whether something waits for a decision, so that nothing is applied meanwhile
     */
    void relieve(@Nullable Position nothingBelow, boolean undecided) {
        Position minimum = quorum.position().orElse(null);
        boolean stuck = minimum != null && (minimum.compareTo(applied) <= 0 || minimum.equals(nothingBelow));
        memory.relieve(
                lanes.values(),
                buffered.bytes(),
                () -> undecided ? Set.of() : awaited(minimum, stuck),
                new MemoryPolicy.Progress(minimum, stuck, ordered),
                memoryActions);
    }

    /** Partitions that progress waits for: the least complete, and for those read to their ends what delays their children. */
    private Set<Lane> holdingBack(@Nullable Position minimum) {
        Set<Lane> holding = new HashSet<>();
        for (Lane lane : lanes.values()) {
            boolean least = minimum == null ? lane.complete() == null : minimum.equals(lane.complete());
            if (!least || !quorum.isLive(lane.id)) {
                continue;
            }
            holding.add(lane);
            if (lane.reading.ended) {
                int stream = lane.id.stream();
                for (long other : graphs.get(stream).delaysChildrenOf(lane.id.partition())) {
                    Lane delaying = lanes.get(new PartitionId(stream, other));
                    if (delaying != null) {
                        holding.add(delaying);
                    }
                }
            }
        }
        return holding;
    }

    /**
     * Nothing that was not read is awaited while there is something to apply: that frees memory, too. A scan that applies as
     * records come waits for partitions that have not spoken, once it has applied what there is.
     */
    private Set<Lane> awaited(@Nullable Position minimum, boolean stuck) {
        boolean nothingToApply = ordered ? minimum == null || stuck : minimum == null && buffered.changes() == 0;
        return nothingToApply ? holdingBack(minimum) : Set.of();
    }

    private final MemoryPolicy.Actions memoryActions = new MemoryPolicy.Actions() {
        @Override
        public void park(Lane lane) {
            lane.reading.parked = true;
            commands.add(new Command.Park(lane.id));
        }

        @Override
        public void resume(Lane lane) {
            lane.reading.parked = false;
            commands.add(new Command.Resume(lane.id));
        }

        @Override
        public void readAgain(Lane lane) {
            if (lane.readAgain()) {
                lane.reading.close(true);
                speak(lane);
                commands.add(new Command.Reopen(lane.id));
            }
        }

        @Override
        public void changed(Lane lane) {
            speak(lane);
        }

        @Override
        public void doesNotFit(Position position) {
            List<Pending> held = Cut.of(position, lanes.values());
            if (!held.isEmpty() && questions.none()) {
                fail(problems.tooLargeForMemory(position, held, memoryBytes));
            }
        }
    };

    // ---- what is to be done, and what is known

    List<Command> drainCommands() {
        if (commands.isEmpty()) {
            return List.of();
        }
        List<Command> drained = List.copyOf(commands);
        commands.clear();
        return drained;
    }

    Problems problems() {
        return problems;
    }

    void command(Command command) {
        commands.add(command);
    }

    Counters counters() {
        return new Counters(
                intake.records,
                intake.alreadyApplied,
                intake.duplicates,
                intake.ignoredBarriers,
                intake.late,
                intake.unfit,
                intake.filtered,
                questions.applied(),
                questions.skipped());
    }

    List<PartitionView> views() {
        return lanes.values().stream()
                .map(lane -> new PartitionView(
                        lane.id,
                        !lane.reading.left,
                        lane.reading.open(),
                        lane.reading.parked,
                        lane.reading.closedByUs(),
                        Optional.ofNullable(lane.resolved()),
                        lane.bytes(),
                        lane.changes(),
                        lane.next(),
                        lane.reading.acknowledged(),
                        lane.reading.end()))
                .toList();
    }

    /** Takes records one by one; a field each so that the hot path makes no garbage. */
    private final class Intake implements StreamRecord.Cases<Boolean> {
        private long records;
        private long alreadyApplied;
        private long duplicates;
        private long ignoredBarriers;
        private long late;
        private long unfit;
        private long filtered;
        private @Nullable Lane lane;
        private long offset;

        void take(Lane to, long at, StreamRecord message) {
            lane = to;
            offset = at;
            records++;
            message.fold(this);
        }

        private Lane lane() {
            if (lane == null) {
                throw new IllegalStateException("no record is being taken");
            }
            return lane;
        }

        @Override
        public Boolean change(Change change) {
            Lane.Intake result = switch (questions.known(lane().id, offset, change.position())) {
                case NOTHING ->
                    isLeftOut(change) ? Lane.Intake.ALREADY_APPLIED : lane().change(change, offset, applied);
                case HERE_OR_DONE -> Lane.Intake.ALREADY_APPLIED;
                case APPLIED_BEFORE -> applyAgain(change);
                case TO_APPLY -> {
                    questions.readAgain(lane(), offset, change);
                    yield Lane.Intake.BUFFERED;
                }
            };
            if (result == Lane.Intake.ALREADY_APPLIED) {
                alreadyApplied++;
            } else if (result == Lane.Intake.LATE) {
                late++;
                Problem problem = problems.late(lane().id, offset, change, lane().spoken());
                questions.ask(lane(), offset, change.position(), change, problem);
                ask(change.position(), change.key().toString(), Optional.of(change), Optional.empty(), problem);
            } else if (result == Lane.Intake.PASSED_OVER) {
                speak(lane());
            }
            return true;
        }

        /**
         * Whether it was decided that the changes of its position are left out. One that comes late is none of those that were
         * asked about, and is asked about itself.
         */
        private boolean isLeftOut(Change change) {
            return wholes.leavesOut(change.position())
                    && lane().judge(change.position(), offset, applied) != Lane.Intake.LATE;
        }

        /** What is around it is applied again from the floor on. */
        private Lane.Intake applyAgain(Change change) {
            if (change.position().isBefore(floor)) {
                return Lane.Intake.ALREADY_APPLIED;
            }
            questions.applyAgain(lane(), offset, change);
            return Lane.Intake.BUFFERED;
        }

        @Override
        public Boolean barrier(Barrier barrier) {
            boolean rises = lane().barrier(barrier.position(), offset);
            if (rises) {
                speak(lane());
            } else {
                ignoredBarriers++;
            }
            return rises;
        }

        @Override
        public Boolean schemaChange(SchemaChange change) {
            commands.add(new Command.TellSchemaChange(lane().id, change));
            return true;
        }

        @Override
        public Boolean unfit(Unfit unfit) {
            boolean placed = !unfit.position().equals(Position.ZERO);
            if (questions.known(lane().id, offset, unfit.position()) != Questions.Known.NOTHING) {
                alreadyApplied++;
            } else if (placed && lane().judge(unfit.position(), offset, applied) == Lane.Intake.ALREADY_APPLIED) {
                alreadyApplied++;
            } else {
                this.unfit++;
                Problem problem = problems.unfit(lane().id, offset, unfit);
                questions.ask(lane(), offset, unfit.position(), null, problem);
                ask(unfit.position(), unfit.key(), Optional.empty(), unfit.wording(), problem);
            }
            return true;
        }

        @Override
        public Boolean filtered(Filtered record) {
            filtered++;
            lane().leftOut(record.position(), offset);
            return true;
        }

        private void ask(
                Position position, String key, Optional<Change> change, Optional<Wording> wording, Problem problem) {
            Optional<Position> barrier = Optional.ofNullable(lane().spoken());
            commands.add(
                    new Command.Ask(lane().id, offset, position, key, change, wording, barrier, problem, List.of()));
        }
    }
}
