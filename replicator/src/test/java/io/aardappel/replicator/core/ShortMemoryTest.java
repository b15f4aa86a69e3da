package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.active;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.child;
import static io.aardappel.replicator.core.Given.p;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.SavedState.InstanceRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("With far more between two barriers than memory holds, a replication")
class ShortMemoryTest {
    private static final int MEMORY = 1_000;
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
    private long mostBuffered;
    private long session;

    private static Replication begun(Stage stage, Position checkpoint, InstanceRow instance) {
        SavedState saved = new SavedState(checkpoint, "OK", "", stage, Optional.of(instance), List.of(), List.of());
        StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of());
        return new Replication(
                List.of(new StreamSpec("topic", "consumer", "table")),
                Given.ROOMY,
                MEMORY,
                Start.of(saved, Position.ZERO),
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

    private static List<StreamRecord> changesThen(StreamRecord... more) {
        List<StreamRecord> log = new ArrayList<>();
        IntStream.range(0, CHANGES).forEach(i -> log.add(update(10 + i, i)));
        log.addAll(List.of(more));
        return log;
    }

    /** Serves and commits until nothing moves any more. */
    private void run() {
        replication.described(0, partitions);
        boolean moved = true;
        while (moved) {
            moved = obey();
            for (PartitionInfo info : partitions) {
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
            } else if (command instanceof Command.Fail fail) {
                throw new AssertionError(fail.problem().text());
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
