package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.BYTES;
import static io.aardappel.replicator.core.Given.active;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.child;
import static io.aardappel.replicator.core.Given.p;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("With far more between two barriers than memory holds, a replication")
class ShortMemoryTest {
    private static final List<StreamSpec> STREAMS = List.of(new StreamSpec("topic", "consumer", "table"));
    private static final int MEMORY = 1_000;
    /** More than any of these takes; who needs more goes round in circles. */
    private static final int TURNS = 100_000;
    /** Each change counts as {@link Given#BYTES}. */
    private static final int CHANGES = 50;

    /** What each partition holds; the reader below serves it from any offset. */
    private final Map<PartitionId, List<StreamRecord>> logs = new HashMap<>();

    private final Map<PartitionId, Long> sessions = new HashMap<>();
    private final Map<PartitionId, Long> offsets = new HashMap<>();
    private final Set<PartitionId> parked = new HashSet<>();
    private final List<PartitionInfo> partitions = new ArrayList<>();
    private final Set<Key> written = new HashSet<>();
    private Replication replication = begun(Stage.RUN, at(5), new InstanceRow(at(5), Position.ZERO, ScanPhase.NONE));

    private Position checkpoint = Position.ZERO;
    private Optional<Problem> problem = Optional.empty();
    private long mostBuffered;
    private long delivered;
    private long session;

    private static Replication begun(Stage stage, Position checkpoint, InstanceRow instance) {
        SavedState saved = new SavedState(checkpoint, "OK", "", stage, Optional.of(instance), List.of(), List.of());
        StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of());
        return new Replication(
                STREAMS,
                Given.ROOMY,
                MEMORY,
                Start.of(saved, Position.ZERO, STREAMS),
                new Membership(List.of(row), List.of(), List.of()),
                List.of(),
                Rules.STANDARD);
    }

    @Test
    @DisplayName("reads a partition that is behind again and again, each time buffering what lies lowest")
    void readsAgainAndAgain() {
        partitions.add(active(0));
        partitions.add(active(1));
        logs.put(p(0), changesThen(barrier(100)));
        logs.put(p(1), List.of(barrier(100)));

        run();

        assertThat(checkpoint).isEqualTo(at(100));
        assertThat(written).hasSize(CHANGES);
    }

    @Test
    @DisplayName("works off a partition whose changes lie in the opposite order of their positions")
    void worksOffTheOppositeOrder() {
        partitions.add(active(0));
        logs.put(p(0), opposite(barrier(100)));

        run();

        assertThat(checkpoint).isEqualTo(at(100));
        assertThat(written).hasSize(CHANGES);
        assertThat(mostBuffered).isLessThanOrEqualTo(MEMORY);
    }

    @Test
    @DisplayName("works off several such partitions at once, in few readings")
    void worksOffSeveralAtOnce() {
        for (int partition = 0; partition < 3; partition++) {
            partitions.add(active(partition));
            logs.put(p(partition), opposite(barrier(100)));
        }

        run();

        assertThat(checkpoint).isEqualTo(at(100));
        assertThat(delivered).isLessThan(3 * CHANGES * (3 * CHANGES * BYTES / (MEMORY / 2) + 1));
        assertThat(mostBuffered).isLessThanOrEqualTo(MEMORY);
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName("applies everything, whatever the order and wherever barriers stand")
    @MethodSource("seeds")
    void appliesEverything(long seed) {
        Random random = new Random(seed);
        int count = 1 + random.nextInt(3);
        int changes = 0;
        for (int partition = 0; partition < count; partition++) {
            partitions.add(active(partition));
            List<StreamRecord> log = anyOrder(random, changes);
            changes += (int) log.stream().filter(Change.class::isInstance).count();
            logs.put(p(partition), log);
        }

        run();

        assertThat(problem).as("why it stopped").isEmpty();
        assertThat(checkpoint).isEqualTo(at(1_000));
        assertThat(written).hasSize(changes);
        assertThat(mostBuffered).isLessThanOrEqualTo(MEMORY);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    /** Barriers wherever they hold. */
    private static List<StreamRecord> anyOrder(Random random, int firstKey) {
        List<Change> changes = new ArrayList<>();
        int size = 10 + random.nextInt(60);
        for (int i = 0; i < size; i++) {
            changes.add(update(10 + random.nextInt(300), firstKey + i));
        }
        if (random.nextBoolean()) {
            changes.sort(Comparator.comparing(Change::position));
        }
        List<StreamRecord> log = new ArrayList<>(changes);
        long lowestAfter = 1_000;
        log.add(barrier(lowestAfter));
        for (int i = size - 1; i >= 0; i--) {
            lowestAfter = Math.min(lowestAfter, changes.get(i).position().step());
            if (random.nextInt(5) == 0) {
                log.add(i, barrier(lowestAfter));
            }
        }
        return log;
    }

    @Nested
    @DisplayName("where the changes of one position alone exceed it")
    class WhereOnePositionExceedsIt {
        @BeforeEach
        void largePosition() {
            partitions.add(active(0));
            partitions.add(active(1));
            List<StreamRecord> log = new ArrayList<>(List.of(update(30, 1), update(7, 2)));
            IntStream.range(0, 12).forEach(i -> log.add(update(20, 10 + i)));
            log.add(barrier(100));
            logs.put(p(0), log);
            logs.put(p(1), List.of(barrier(100)));
        }

        @Test
        @DisplayName("stops, and names stream, partition, position, size and the remedy")
        void stops() {
            run();

            Problem why = problem.orElseThrow();
            assertThat(why.reason()).isEqualTo(Problem.Reason.OVERSIZED_POSITION);
            assertThat(why.what())
                    .contains(
                            "stream topic, partition 0",
                            "position [20,0]",
                            "at least 9 changes of 900 bytes",
                            "1000 bytes");
            assertThat(why.remedy()).contains("replicator.memory");
        }

        @Test
        @DisplayName("has applied everything below it")
        void hasAppliedWhatLiesBelow() {
            run();

            assertThat(written).containsExactly(new Key(2));
            assertThat(checkpoint).isEqualTo(at(20));
        }

        @Test
        @DisplayName("holds no more than its budget")
        void staysWithinItsBudget() {
            run();

            assertThat(mostBuffered).isLessThanOrEqualTo(MEMORY);
        }
    }

    @Test
    @DisplayName("stops at a position that exceeds it only in several partitions together")
    void stopsAtAPositionOfSeveralPartitions() {
        for (int partition = 0; partition < 2; partition++) {
            partitions.add(active(partition));
            List<StreamRecord> log = new ArrayList<>();
            int first = 100 * partition;
            IntStream.range(0, 6).forEach(i -> log.add(update(20, first + i)));
            log.add(barrier(100));
            logs.put(p(partition), log);
        }

        run();

        assertThat(problem.orElseThrow().what()).contains("position [20,0]");
    }

    @Test
    @DisplayName("applies a position that just fits it")
    void appliesWhatJustFits() {
        partitions.add(active(0));
        List<StreamRecord> log = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> log.add(update(30, 20 + i)));
        IntStream.range(0, 8).forEach(i -> log.add(update(20, i)));
        IntStream.range(0, 5).forEach(i -> log.add(update(10, 30 + i)));
        log.add(barrier(100));
        logs.put(p(0), log);

        run();

        assertThat(problem).isEmpty();
        assertThat(written).hasSize(18);
    }

    @Test
    @DisplayName("lets the children of a split partition speak for it while it is read again")
    void childrenSpeakForTheirParent() {
        partitions.add(splitOrMerged(0, 1L, 2L));
        partitions.add(child(1, 0L));
        partitions.add(child(2, 0L));
        logs.put(p(0), changesThen());
        logs.put(p(1), List.of(update(90, CHANGES), barrier(100)));
        logs.put(p(2), List.of(barrier(100)));

        run();

        assertThat(checkpoint).isEqualTo(at(100));
        assertThat(written).hasSize(CHANGES + 1);
    }

    @Test
    @DisplayName("reads on a partition that is ahead when it delays the children of the one behind")
    void readsOnWhatDelaysChildren() {
        partitions.add(splitOrMerged(0, 2L));
        partitions.add(splitOrMerged(1, 2L));
        partitions.add(child(2, 0L, 1L));
        logs.put(p(0), List.of(update(6, CHANGES)));
        List<StreamRecord> ahead = changesThen();
        ahead.add(0, barrier(9));
        logs.put(p(1), ahead);
        logs.put(p(2), List.of(barrier(100)));

        run();

        assertThat(checkpoint).isEqualTo(at(100));
        assertThat(written).hasSize(CHANGES + 1);
    }

    @Test
    @DisplayName("reads on what delays children, and does not go back to what it passed over before their parent's end")
    void readsToTheEndFirst() {
        partitions.add(splitOrMerged(0, 2L));
        partitions.add(splitOrMerged(1, 2L));
        partitions.add(child(2, 0L, 1L));
        logs.put(p(0), List.of(update(6, CHANGES), barrier(9)));
        List<StreamRecord> ahead = changesThen(barrier(70));
        IntStream.range(0, CHANGES).forEach(i -> ahead.add(update(80 + i, i)));
        logs.put(p(1), ahead);
        logs.put(p(2), List.of(barrier(200)));

        run();

        assertThat(checkpoint).isEqualTo(at(200));
        assertThat(written).hasSize(CHANGES + 1);
    }

    @Test
    @DisplayName("goes on with a scan of one partition though barriers of the others fill its memory")
    void barriersDoNotStopAScan() {
        replication =
                begun(Stage.INITIAL_SCAN, Position.ZERO, new InstanceRow(Position.ZERO, at(5), ScanPhase.APPLYING));
        partitions.add(active(0));
        partitions.add(active(1));
        List<StreamRecord> barriers = new ArrayList<>();
        IntStream.rangeClosed(101, 150).forEach(step -> barriers.add(barrier(step)));
        logs.put(p(0), barriers);
        logs.put(p(1), changesThen(barrier(150)));

        run();

        assertThat(checkpoint).isEqualTo(at(150));
        assertThat(written).hasSize(CHANGES);
    }

    @Test
    @DisplayName("never holds more than its budget")
    void staysWithinItsBudgetB19() {
        childrenSpeakForTheirParent();

        assertThat(mostBuffered).isLessThanOrEqualTo(MEMORY);
    }

    @Test
    @DisplayName("stops reading, too, while a record waits for a decision and others that will be asked about follow")
    void staysWithinItsBudgetBehindAQuestion() {
        partitions.add(active(0));
        List<StreamRecord> late = new ArrayList<>(List.of(barrier(20)));
        IntStream.range(0, CHANGES).forEach(i -> late.add(update(10, i)));
        logs.put(p(0), late);

        run();

        assertThat(replication.questions()).isPositive();
        assertThat(mostBuffered).isLessThanOrEqualTo(MEMORY);
    }

    private static PartitionInfo splitOrMerged(long id, Long... children) {
        return new PartitionInfo(id, false, List.of(), List.of(children), 0, CHANGES + 2, 0);
    }

    private static List<StreamRecord> opposite(StreamRecord... more) {
        List<StreamRecord> log = new ArrayList<>();
        IntStream.range(0, CHANGES).forEach(i -> log.add(update(10 + CHANGES - i, i)));
        log.addAll(List.of(more));
        return log;
    }

    private static List<StreamRecord> changesThen(StreamRecord... more) {
        List<StreamRecord> log = new ArrayList<>();
        IntStream.range(0, CHANGES).forEach(i -> log.add(update(10 + i, i)));
        log.addAll(List.of(more));
        return log;
    }

    /** Serves and commits until nothing moves any more, or it stops. */
    private void run() {
        replication.described(0, partitions);
        boolean moved = true;
        int turns = 0;
        while (moved && problem.isEmpty()) {
            assertThat(turns++).as("turns").isLessThan(TURNS);
            moved = false;
            for (PartitionInfo info : partitions) {
                moved |= obey();
                moved |= deliver(info);
            }
            Optional<Batch> batch = replication.next();
            batch.ifPresent(this::commit);
            moved |= batch.isPresent();
        }
    }

    private boolean obey() {
        List<Command> commands = replication.commands();
        for (Command command : commands) {
            if (command instanceof Command.Open open) {
                begin(open.partition());
            } else if (command instanceof Command.Reopen reopen) {
                begin(reopen.partition());
            } else if (command instanceof Command.Confirm confirm) {
                offsets.put(confirm.partition(), confirm.readOffset());
            } else if (command instanceof Command.Park park) {
                parked.add(park.partition());
            } else if (command instanceof Command.Resume resume) {
                parked.remove(resume.partition());
            } else if (command instanceof Command.Describe) {
                replication.described(0, partitions);
            } else if (command instanceof Command.Fail fail) {
                problem = Optional.of(fail.problem());
            }
        }
        return !commands.isEmpty();
    }

    private void begin(PartitionId partition) {
        sessions.put(partition, ++session);
        offsets.remove(partition);
        replication.sessionStarted(partition, session, 0, 0, logs.get(partition).size());
    }

    /** One record, so that the budget can be looked at after each. */
    private boolean deliver(PartitionInfo info) {
        PartitionId partition = p(info.id());
        Long offset = offsets.get(partition);
        if (offset == null || parked.contains(partition)) {
            return false;
        }
        List<StreamRecord> log = logs.get(partition);
        long number = sessions.get(partition);
        if (offset < log.size()) {
            offsets.put(partition, offset + 1);
            delivered++;
            replication.records(
                    partition, number, new long[] {offset}, List.of(log.get(offset.intValue())), offset + 1);
            mostBuffered = Math.max(mostBuffered, replication.bufferedBytes());
            return true;
        }
        offsets.remove(partition);
        if (!info.active()) {
            replication.partitionEnded(partition, number);
        }
        return true;
    }

    private void commit(Batch batch) {
        batch.tables().forEach(table -> table.writes().forEach(row -> written.add(row.key())));
        checkpoint = batch.checkpoint().orElse(checkpoint);
        replication.committed(batch);
    }
}
