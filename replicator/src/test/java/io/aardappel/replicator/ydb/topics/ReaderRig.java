package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.YdbType;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.read.SyncReader;
import tech.ydb.topic.settings.TopicReadSettings;

/**
 * A topic source against an emulator, and a small engine's manners: it confirms every session where the last one ended,
 * takes what comes and keeps it by offset. Each message is an erase of key {@code [n]}.
 */
final class ReaderRig implements AutoCloseable {
    static final String CONSUMER = "replicator";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final VirtualTimestamp CREATED = new VirtualTimestamp(1_234_567, 1);
    private static final TableShape SHAPE = new TableShape(
            "/local/copy",
            List.of(new TableShape.Column("id", YdbType.of(PrimitiveTypeId.UINT64), true, false)),
            List.of("id"));

    /** What is known of one partition. */
    static final class Seen {
        final TreeMap<Long, StreamRecord> records = new TreeMap<>();
        /** When what was delivered together was written, by its first offset. */
        final TreeMap<Long, Long> writtenAt = new TreeMap<>();

        final List<String> ends = new ArrayList<>();
        int sessions;
        long session;
        long next;
        long committed;
        long acknowledged;
        boolean live;

        @Nullable
        List<Long> children;
    }

    private final YdbEmulator ydb;
    private final GrpcTransport transport;
    private final LinkedBlockingQueue<Event> inbox = new LinkedBlockingQueue<>();
    private final List<StreamSpec> streams = new ArrayList<>();
    private final Map<PartitionId, Seen> seen = new HashMap<>();
    final List<SourceEvent.Described> described = new ArrayList<>();
    final List<SourceEvent.SourceFailed> failures = new ArrayList<>();
    final List<SourceEvent.Records> held = new ArrayList<>();
    final List<SourceEvent.SchemaAwaited> awaited = new ArrayList<>();
    final Copy copy = new Copy();
    final TopicSource source;
    boolean taking = true;
    boolean confirming = true;

    ReaderRig(YdbEmulator ydb) {
        this(ydb, settings -> settings);
    }

    ReaderRig(YdbEmulator ydb, UnaryOperator<ReaderSettings> change) {
        this.ydb = ydb;
        this.transport =
                GrpcTransport.forConnectionString(ydb.connectionString()).build();
        this.source = new TopicSource(
                transport,
                copy,
                spec -> SourceFeed.of(FeedImages.WRITTEN_COLUMNS),
                spec -> KeyFilter.NONE,
                change.apply(quick(1 << 20)),
                new Random(1));
    }

    /** A rig with changed settings in place of this one, which is closed. */
    ReaderRig with(UnaryOperator<ReaderSettings> change) {
        close();
        return new ReaderRig(ydb, change);
    }

    static ReaderSettings quick(long credit) {
        return new ReaderSettings(
                credit,
                1024,
                64,
                4,
                Duration.ofSeconds(60),
                Duration.ofMillis(50),
                2,
                Duration.ofMillis(20),
                Duration.ofMillis(200),
                Duration.ofMillis(600),
                Duration.ofSeconds(5),
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                Duration.ofMillis(100),
                Duration.ofSeconds(60),
                Duration.ofSeconds(5));
    }

    /** A destination table, by any name, with a key and at first nothing else. */
    static final class Copy implements DestinationShapes {
        private volatile TableShape known = SHAPE;
        private volatile TableShape real = SHAPE;

        void addColumn(String name) {
            List<TableShape.Column> columns = new ArrayList<>(real.columns());
            columns.add(new TableShape.Column(name, YdbType.of(PrimitiveTypeId.UINT64), false, false));
            real = new TableShape(SHAPE.path(), columns, List.of("id"));
        }

        @Override
        public TableShape current(String table) {
            return known;
        }

        @Override
        public boolean refresh(String table) {
            known = real;
            return true;
        }
    }

    Topic topic(String name, int partitions) {
        return topic(name, partitions, TopicSpec.ConsumerSpec.of(CONSUMER));
    }

    Topic topic(String name, int partitions, TopicSpec.ConsumerSpec consumer) {
        String path = "/local/" + name;
        ydb.topics("/local")
                .create(
                        new TopicSpec(
                                path,
                                partitions,
                                partitions,
                                false,
                                Duration.ofHours(1),
                                List.of(),
                                List.of(consumer),
                                Map.of()),
                        CREATED);
        streams.add(new StreamSpec(path, CONSUMER, "copy"));
        return ydb.topics("/local").get(path);
    }

    void stream(StreamSpec spec) {
        streams.add(spec);
    }

    static void write(Topic topic, int partition, int from, int count) {
        List<TopicMessage> messages = new ArrayList<>();
        for (int key = from; key < from + count; key++) {
            messages.add(message(1, erase(key, ""), 0));
        }
        topic.write(partition, messages);
    }

    /** One message, as if it had been written at a time, in milliseconds since the epoch. */
    static void writeAt(Topic topic, int key, long time) {
        topic.write(0, List.of(message(1, erase(key, ""), 0, time)));
    }

    static byte[] erase(int key, String filler) {
        return ("{\"erase\":{},\"key\":[" + key + "],\"ts\":[" + key + ",1],\"user\":\"" + filler + "\"}")
                .getBytes(StandardCharsets.UTF_8);
    }

    static TopicMessage message(int codec, byte[] data, int size) {
        return message(codec, data, size, System.currentTimeMillis());
    }

    private static TopicMessage message(int codec, byte[] data, int size, long writtenAt) {
        return new TopicMessage("", 0, 0, writtenAt, codec, size, Map.of(), data);
    }

    ReaderRig start() {
        source.start(streams, inbox::add);
        return this;
    }

    void open(int stream, long... partitions) {
        for (long partition : partitions) {
            source.open(new PartitionId(stream, partition));
        }
    }

    Seen seen(int stream, long partition) {
        return seen(new PartitionId(stream, partition));
    }

    private Seen seen(PartitionId partition) {
        return seen.computeIfAbsent(partition, id -> new Seen());
    }

    /** Handles events until the condition holds. */
    void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            assertThat(left)
                    .as("time left to see that %s; seen so far: %s", what, this)
                    .isPositive();
            Event event = poll(Math.min(left, TimeUnit.MILLISECONDS.toNanos(20)));
            if (event != null) {
                handle((SourceEvent) event);
            }
        }
    }

    /** Handles events until none has come for so long. */
    void untilQuiet(Duration quiet) {
        Event event = poll(quiet.toNanos());
        while (event != null) {
            handle((SourceEvent) event);
            event = poll(quiet.toNanos());
        }
    }

    private @Nullable Event poll(long nanos) {
        try {
            return inbox.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void handle(SourceEvent event) {
        if (event instanceof SourceEvent.SessionStarted started) {
            started(started);
        } else if (event instanceof SourceEvent.Records records) {
            records(records);
        } else if (event instanceof SourceEvent.SessionEnded ended) {
            Seen partition = seen(ended.partition());
            assertThat(partition.session).isEqualTo(ended.session());
            partition.live = false;
            partition.ends.add(ended.why());
        } else if (event instanceof SourceEvent.PartitionEnded ended) {
            Seen partition = seen(ended.partition());
            assertThat(partition.session).isEqualTo(ended.session());
            partition.children = ended.children();
        } else if (event instanceof SourceEvent.OffsetsAcknowledged acknowledged) {
            Seen partition = seen(acknowledged.partition());
            assertThat(acknowledged.committedOffset()).isGreaterThan(partition.acknowledged);
            partition.acknowledged = acknowledged.committedOffset();
        } else if (event instanceof SourceEvent.Described topic) {
            described.add(topic);
        } else if (event instanceof SourceEvent.SourceFailed failed) {
            failures.add(failed);
        } else if (event instanceof SourceEvent.SchemaAwaited wait) {
            awaited.add(wait);
        }
    }

    private void started(SourceEvent.SessionStarted started) {
        Seen partition = seen(started.partition());
        assertThat(started.session()).isGreaterThan(partition.session);
        partition.session = started.session();
        partition.sessions++;
        partition.live = true;
        partition.committed = started.committedOffset();
        partition.next = Math.max(partition.next, started.committedOffset());
        if (confirming) {
            source.confirm(started.partition(), started.session(), partition.next);
        }
    }

    private void records(SourceEvent.Records records) {
        Seen partition = seen(records.partition());
        assertThat(records.session()).isEqualTo(partition.session);
        assertThat(records.offsets()).hasSameSizeAs(records.records().toArray()).isSorted();
        for (int i = 0; i < records.offsets().length; i++) {
            assertThat(records.offsets()[i]).isGreaterThanOrEqualTo(partition.next);
            partition.next = records.offsets()[i] + 1;
            partition.records.put(records.offsets()[i], records.records().get(i));
        }
        partition.writtenAt.put(records.offsets()[0], records.writtenAt());
        assertThat(records.nextOffset()).isGreaterThanOrEqualTo(partition.next);
        if (taking) {
            source.taken(records);
        } else {
            held.add(records);
        }
    }

    /** The SDK's own reader, which names no partitions. */
    SyncReader foreignReader(String path) {
        return TopicClient.newClient(transport)
                .build()
                .createSyncReader(tech.ydb.topic.settings.ReaderSettings.newBuilder()
                        .setConsumerName(CONSUMER)
                        .addTopic(TopicReadSettings.newBuilder().setPath(path).build())
                        .build());
    }

    void takeHeld() {
        taking = true;
        held.forEach(source::taken);
        held.clear();
    }

    void untilRead(int stream, long partition, int count) {
        until(
                count + " records of " + stream + "/" + partition,
                () -> seen(stream, partition).records.size() >= count);
    }

    void commit(int stream, long partition, long from, long to) {
        source.commit(new PartitionId(stream, partition), seen(stream, partition).session, from, to);
    }

    @Override
    public void close() {
        source.close();
        transport.close();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        seen.forEach((id, partition) -> text.append(id)
                .append(": ")
                .append(partition.records.size())
                .append(" records, ")
                .append(partition.sessions)
                .append(" sessions, ends ")
                .append(partition.ends)
                .append("; "));
        return text.append("failures ").append(failures).toString();
    }

    /** Other sizes, or another wait for columns; everything else as it was. */
    static ReaderSettings varied(
            ReaderSettings settings,
            long creditBytes,
            long creditBytesMin,
            int streamsMax,
            int partitionsPerStream,
            Duration schemaWait) {
        return new ReaderSettings(
                creditBytes,
                creditBytesMin,
                streamsMax,
                partitionsPerStream,
                schemaWait,
                settings.schemaPause(),
                settings.decodeThreads(),
                settings.reconnectPauseFirst(),
                settings.reconnectPauseMax(),
                settings.refusalPatience(),
                settings.openTimeout(),
                settings.silenceMax(),
                settings.answerTimeout(),
                settings.noticeInterval(),
                settings.tokenCheckInterval(),
                settings.closeTimeout());
    }
}
