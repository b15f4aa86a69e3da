package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.model.Scheme;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.topic.Topics;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A server with the topic service alone, over topics that a test fills by hand. */
final class TopicServer implements TopicDatabase, Scheme, AutoCloseable {
    static final String DATABASE = "/local";

    final Topics topics = new Topics();
    final Faults faults = new Faults(1, System::nanoTime);
    final TopicService service;
    final Map<String, Transaction> transactions = new HashMap<>();
    private final AtomicLong steps = new AtomicLong();
    private final Server server;
    private final List<ManagedChannel> channels = new ArrayList<>();

    TopicServer() {
        this(TopicService.RELEASE_WAIT);
    }

    TopicServer(Duration releaseWait) {
        service = new TopicService(() -> this, faults, releaseWait);
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                    .maxInboundMessageSize(64 << 20)
                    .addService(service)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
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

    /** Creates a topic with partitions and consumers. */
    Topic create(String name, int partitions, String... consumers) {
        topics.create(spec(name, partitions, false, consumers), new VirtualTimestamp(steps.incrementAndGet(), 1));
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
        byte[] data = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
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
    public String path() {
        return DATABASE;
    }

    @Override
    public Topics topics() {
        return topics;
    }

    @Override
    public Scheme scheme() {
        return this;
    }

    @Override
    public Transaction transaction(String sessionId, String transactionId) {
        Transaction transaction = transactions.get(transactionId);
        if (transaction == null) {
            throw new YdbException(Status.NOT_FOUND, "Transaction not found: " + transactionId);
        }
        return transaction;
    }

    @Override
    public void createTable(TableSpec table, boolean ifNotExists) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void alterTable(String path, List<TableSpec.Change> changes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void dropTable(String path, boolean ifExists) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void createTopic(TopicSpec topic, boolean ifNotExists) {
        if (topics.find(topic.path()) != null) {
            throw new YdbException(Status.SCHEME_ERROR, "path exists");
        }
        topics.create(topic, new VirtualTimestamp(steps.incrementAndGet(), 1));
    }

    @Override
    public void alterTopic(String path, List<TopicSpec.Change> changes) {
        topics.alter(path, changes);
    }

    @Override
    public void dropTopic(String path, boolean ifExists) {
        topics.drop(path);
    }

    @Override
    public void makeDirectory(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeDirectory(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow();
        service.close();
        try {
            if (!server.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the server does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
