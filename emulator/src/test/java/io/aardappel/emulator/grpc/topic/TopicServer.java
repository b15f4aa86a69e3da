package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.changefeed.TopicChangefeeds;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.grpc.Accounts;
import io.aardappel.emulator.grpc.Calls;
import io.aardappel.emulator.grpc.Databases;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.ServerLimits;
import io.aardappel.emulator.grpc.Sessions;
import io.aardappel.emulator.grpc.Streams;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Changefeeds;
import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.FeedSource;
import io.aardappel.emulator.model.table.Limits;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.topic.Topics;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A server with the topic service alone, over a real database whose topics a test can fill by hand. */
final class TopicServer implements AutoCloseable {
    static final String DATABASE = "/local";

    /** No table here has a changefeed. */
    private static final Changefeeds NONE = new Changefeeds() {
        @Override
        public void check(TableSchema table, TableSpec.ChangefeedSpec spec) {
            throw new YdbException(Status.UNSUPPORTED, "no changefeeds in this test");
        }

        @Override
        public Changefeed open(TableSpec.ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created) {
            throw new YdbException(Status.UNSUPPORTED, "no changefeeds in this test");
        }
    };

    final Topics topics = new Topics();
    final Database database =
            new Database(DATABASE, new VirtualClock(System::currentTimeMillis), Limits.YDB, topics, NONE);
    final Faults faults = new Faults(1, System::nanoTime);
    final Sessions sessions = new Sessions(ServerLimits.DEFAULT, 1, System::nanoTime);
    final ServerContext context;
    final TopicService service;
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Server server;
    private final List<ManagedChannel> channels = new ArrayList<>();

    TopicServer() {
        this(TopicService.RELEASE_WAIT);
    }

    TopicServer(Duration releaseWait) {
        context = new ServerContext(
                new Databases(List.of(new Tenant(database, topics, new TopicChangefeeds(faults)))),
                (path, text) -> {
                    throw new YdbException(Status.UNSUPPORTED, "no queries in this test");
                },
                faults,
                ServerLimits.DEFAULT,
                new Accounts(Map.of(), Map.of(), InstantSource.system()),
                sessions,
                new Streams(),
                1,
                workers,
                timer);
        service = new TopicService(context, new Calls(context), releaseWait);
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                    .maxInboundMessageSize(64 << 20)
                    .addService(service)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ManagedChannel channel() {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .maxInboundMessageSize(64 << 20)
                .build();
        channels.add(channel);
        return channel;
    }

    TopicServiceGrpc.TopicServiceBlockingStub calls() {
        return TopicServiceGrpc.newBlockingStub(channel());
    }

    ReadClient reader() {
        return new ReadClient(TopicServiceGrpc.newStub(channel()));
    }

    WriteClient writer() {
        return new WriteClient(TopicServiceGrpc.newStub(channel()));
    }

    /** Creates a topic with partitions and consumers. */
    Topic create(String name, int partitions, String... consumers) {
        database.createTopic(spec(name, partitions, false, consumers), false);
        return topics.get(DATABASE + "/" + name);
    }

    static TopicSpec spec(String name, int partitions, boolean auto, String... consumers) {
        return new TopicSpec(
                DATABASE + "/" + name,
                partitions,
                0,
                auto,
                Duration.ofHours(1),
                List.of(),
                List.of(consumers).stream().map(TopicSpec.ConsumerSpec::of).toList(),
                Map.of());
    }

    /** A raw message of one producer with the text as data. */
    static TopicMessage message(String producer, long seqNo, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        long now = System.currentTimeMillis();
        return new TopicMessage(producer, seqNo, now, now, 1, data.length, Map.of(), data);
    }

    /** Appends messages {@code m<from>} to {@code m<to - 1>} of producer {@code p}. */
    static void fill(Topic topic, int partition, int from, int to) {
        topic.append(
                partition,
                IntStream.range(from, to)
                        .mapToObj(i -> message("p", i + 1, "m" + i))
                        .toList());
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow();
        service.close();
        workers.shutdownNow();
        timer.shutdownNow();
        try {
            if (!server.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the server does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
