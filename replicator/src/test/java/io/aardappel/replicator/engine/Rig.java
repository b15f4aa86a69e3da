package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.core.TransactionBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An engine with ports that only write down what is asked of them; the test answers, and moves the clock. */
final class Rig {
    static final Duration INTERVAL = Duration.ofSeconds(1);
    static final Duration TTL = Duration.ofSeconds(2);
    /** Longer than any test that is not about it. */
    private static final Duration MIRROR_INTERVAL = Duration.ofMinutes(10);

    static final StreamSpec STREAM = new StreamSpec("goods/feed", "c", "/dst/goods");
    static final PartitionId PARTITION = new PartitionId(0, 0);

    final List<String> asked = new ArrayList<>();
    final List<Batch> batches = new ArrayList<>();
    final List<Problem> fatals = new ArrayList<>();
    final Inbox inbox = new Inbox();
    final Engine engine;
    private long now = 1_000_000_000_000L;
    private long skew;
    private long offset;
    private @Nullable Consumer<Event> source;

    Rig() {
        this(true);
    }

    Rig(boolean multipleInstances) {
        this(multipleInstances, MIRROR_INTERVAL);
    }

    Rig(boolean multipleInstances, Duration mirrorInterval) {
        this(multipleInstances, mirrorInterval, 1L << 30, Decisions::alwaysStop);
    }

    /** In which nobody answers a question about a record. */
    static Rig undecided() {
        return new Rig(true, MIRROR_INTERVAL, 1L << 30, inbox -> question -> {});
    }

    static Rig withMemory(long bytes) {
        return new Rig(true, MIRROR_INTERVAL, bytes, Decisions::alwaysStop);
    }

    private Rig(
            boolean multipleInstances,
            Duration mirrorInterval,
            long memoryBytes,
            Function<Inbox, Decisions> decisions) {
        EngineSettings settings = new EngineSettings(
                "goods-copy",
                List.of(STREAM),
                INTERVAL,
                multipleInstances,
                TTL,
                Duration.ofSeconds(55),
                memoryBytes,
                TransactionBounds.DEFAULT,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                mirrorInterval,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5));
        Ticker ticker = new Ticker() {
            @Override
            public long nanos() {
                return now;
            }

            @Override
            public long wallMillis() {
                return now / 1_000_000 + skew;
            }
        };
        Engine.Ports ports =
                new Engine.Ports(new Source(), new Target(), decisions.apply(inbox), ticker, EngineObserver.NONE);
        engine = new Engine(settings, ports, inbox, new Random(1), Rules.STANDARD);
    }

    /** Turns until nothing is left to do. */
    Rig work() {
        while (engine.doWork() > 0) {}
        return this;
    }

    Rig pass(Duration time) {
        now += time.toNanos();
        return work();
    }

    /** Somebody sets the wall clock. */
    Rig setClock(Duration by) {
        skew += by.toMillis();
        return this;
    }

    Rig answer(TargetEvent event) {
        inbox.accept(event);
        return work();
    }

    Rig told(SourceEvent event) {
        Consumer<Event> to = source;
        if (to == null) {
            throw new IllegalStateException("the source was not started");
        }
        to.accept(event);
        return work();
    }

    String lastAsked() {
        return asked.isEmpty() ? "" : asked.get(asked.size() - 1);
    }

    /** With the lock, at checkpoint 100 in RUN, the one partition being read. */
    Rig replicating() {
        work().answer(new TargetEvent.LockHeld("us"))
                .answer(new TargetEvent.Loaded(saved("OK", List.of(row(STREAM)))))
                .told(described());
        told(new SourceEvent.SessionStarted(PARTITION, 1, 0, 0, 10));
        return this;
    }

    static SourceEvent described() {
        return new SourceEvent.Described(
                0, 1, 1_000, List.of(new PartitionInfo(0, true, List.of(), List.of(), 0, 10, 0)));
    }

    static StreamRow row(StreamSpec stream) {
        return new StreamRow(stream.topic(), stream.consumer(), stream.table(), 1, StreamState.MEMBER, Map.of());
    }

    static SavedState saved(String state, List<StreamRow> rows) {
        Position checkpoint = new Position(100, 0);
        return new SavedState(
                checkpoint,
                state,
                "why it ended",
                Stage.RUN,
                Optional.of(new InstanceRow(checkpoint, Position.ZERO, ScanPhase.NONE)),
                rows,
                List.of());
    }

    Rig reads(StreamRecord... records) {
        long[] offsets = new long[records.length];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = offset++;
        }
        return told(new SourceEvent.Records(PARTITION, 1, offsets, List.of(records), offset, 100));
    }

    static Change change(long step, int key) {
        return new Change(new Position(step, 1), Operation.UPDATE, new Key(key), Columns.NONE, 100);
    }

    static Barrier barrier(long step) {
        return new Barrier(new Position(step, 0));
    }

    private final class Target implements CheckpointedTarget {
        @Override
        public void start(Consumer<Event> to) {
            asked.add("start target");
        }

        @Override
        public void acquire() {
            asked.add("acquire");
        }

        @Override
        public void renew() {
            asked.add("renew");
        }

        @Override
        public void release() {
            asked.add("release");
        }

        @Override
        public void load() {
            asked.add("load");
        }

        @Override
        public void commit(Batch batch) {
            asked.add("commit " + batch.number());
            batches.add(batch);
        }

        @Override
        public void writeFatal(Problem problem) {
            asked.add("write fatal");
            fatals.add(problem);
        }

        @Override
        public void close() {
            asked.add("close target");
        }
    }

    private final class Source implements ChangeSource {
        @Override
        public void start(List<StreamSpec> streams, Consumer<Event> to) {
            asked.add("start source");
            source = to;
        }

        @Override
        public void describe(int stream) {
            asked.add("describe " + stream);
        }

        @Override
        public void open(PartitionId partition) {
            asked.add("open " + partition);
        }

        @Override
        public void release(PartitionId partition) {
            asked.add("release " + partition);
        }

        @Override
        public void confirm(PartitionId partition, long session, long readOffset) {
            asked.add("confirm " + partition + " from " + readOffset);
        }

        @Override
        public void reopen(PartitionId partition) {
            asked.add("reopen " + partition);
        }

        @Override
        public void taken(SourceEvent.Records records) {
            asked.add("taken " + records.credit());
        }

        @Override
        public void park(PartitionId partition) {
            asked.add("park " + partition);
        }

        @Override
        public void resume(PartitionId partition) {
            asked.add("resume " + partition);
        }

        @Override
        public void commit(PartitionId partition, long session, long from, long to) {
            asked.add("commit offsets [" + from + "," + to + ")");
        }

        @Override
        public void stop() {
            asked.add("stop source");
        }

        @Override
        public void close() {
            asked.add("close source");
        }
    }
}
