package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import tech.ydb.proto.StatusCodesProtos.StatusIds;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.EndPartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionRequest;

/** A server's side of one read stream: says what it may by chance, and fails at anything a client must not say. */
final class StrictServer {
    /** A partition's state, which outlives its sessions. */
    static final class Log {
        final TreeSet<Long> offsets = new TreeSet<>();
        long end;
        long committed;
    }

    private static final class Session {
        final long id;
        final long partition;
        boolean answered;
        boolean endTold;
        long next;
        long commitEnd;

        Session(long id, long partition) {
            this.id = id;
            this.partition = partition;
        }
    }

    private final Random random;
    private final Map<Long, Log> logs = new LinkedHashMap<>();
    private final Map<Long, Session> sessions = new LinkedHashMap<>();
    private final Map<Long, Long> stopping = new HashMap<>();
    private final Queue<FromServer> toSend = new ArrayDeque<>();
    private boolean initialized;
    private long lastSession;
    long credit;

    StrictServer(Random random, int partitions) {
        this.random = random;
        for (long partition = 0; partition < partitions; partition++) {
            logs.put(partition, new Log());
        }
    }

    Log log(long partition) {
        return Objects.requireNonNull(logs.get(partition));
    }

    Set<Long> partitions() {
        return logs.keySet();
    }

    /** Takes a client's message; an assertion fails where a real server would close the stream. */
    void accept(FromClient message) {
        assertThat(message.hasInitRequest()).as("init comes first and once").isNotEqualTo(initialized);
        switch (message.getClientMessageCase()) {
            case INIT_REQUEST -> {
                initialized = true;
                assertThat(message.getInitRequest().getAutoPartitioningSupport())
                        .isTrue();
                say(FromServer.newBuilder()
                        .setInitResponse(InitResponse.newBuilder().setSessionId("s")));
            }
            case READ_REQUEST -> {
                assertThat(message.getReadRequest().getBytesSize()).isPositive();
                credit += message.getReadRequest().getBytesSize();
            }
            case START_PARTITION_SESSION_RESPONSE -> answered(message.getStartPartitionSessionResponse());
            case STOP_PARTITION_SESSION_RESPONSE ->
                assertThat(stopping.remove(
                                message.getStopPartitionSessionResponse().getPartitionSessionId()))
                        .as("a stop that was asked for")
                        .isNotNull();
            case COMMIT_OFFSET_REQUEST ->
                message.getCommitOffsetRequest().getCommitOffsetsList().forEach(this::commit);
            default -> throw new AssertionError("unexpected " + message.getClientMessageCase());
        }
    }

    private void answered(StartPartitionSessionResponse response) {
        Session session = sessions.get(response.getPartitionSessionId());
        if (session == null) {
            return; // it crossed with a stop
        }
        assertThat(session.answered).as("one answer to a start").isFalse();
        Log log = log(session.partition);
        if (response.hasReadOffset()) {
            assertThat(response.getReadOffset()).isGreaterThanOrEqualTo(log.committed);
        }
        session.answered = true;
        session.next = Math.max(log.committed, response.getReadOffset());
    }

    private void commit(CommitOffsetRequest.PartitionCommitOffset commit) {
        Session session = sessions.get(commit.getPartitionSessionId());
        if (session == null) {
            return;
        }
        Log log = log(session.partition);
        for (OffsetsRange range : commit.getOffsetsList()) {
            assertThat(range.getStart()).as("no range twice").isGreaterThanOrEqualTo(session.commitEnd);
            assertThat(range.getEnd()).isGreaterThan(range.getStart());
            session.commitEnd = range.getEnd();
        }
        log.committed = session.commitEnd;
        say(FromServer.newBuilder()
                .setCommitOffsetResponse(CommitOffsetResponse.newBuilder()
                        .addPartitionsCommittedOffsets(CommitOffsetResponse.PartitionCommittedOffset.newBuilder()
                                .setPartitionSessionId(session.id)
                                .setCommittedOffset(log.committed))));
    }

    /** One thing that a server may do now. */
    void act() {
        if (!initialized) {
            return;
        }
        long partition = random.nextInt(logs.size());
        switch (random.nextInt(8)) {
            case 0 -> start(partition);
            case 1, 2 -> append(log(partition), 1 + random.nextInt(5));
            case 3, 4, 5 -> deliver();
            case 6 -> stop(partition);
            default -> end(partition);
        }
    }

    void append(Log log, int count) {
        for (int i = 0; i < count; i++) {
            log.end += random.nextInt(10) == 0 ? 2 : 1; // retention and compaction leave gaps
            log.offsets.add(log.end - 1);
        }
    }

    void start(long partition) {
        boolean taken = sessions.values().stream().anyMatch(session -> session.partition == partition)
                || stopping.containsValue(partition);
        if (taken) {
            return;
        }
        Session session = new Session(++lastSession, partition);
        Log log = log(partition);
        session.commitEnd = log.committed;
        sessions.put(session.id, session);
        say(FromServer.newBuilder()
                .setStartPartitionSessionRequest(StartPartitionSessionRequest.newBuilder()
                        .setPartitionSession(PartitionSession.newBuilder()
                                .setPartitionSessionId(session.id)
                                .setPartitionId(partition))
                        .setCommittedOffset(log.committed)
                        .setPartitionOffsets(OffsetsRange.newBuilder().setEnd(log.end))));
    }

    void deliver() {
        if (credit <= 0) {
            return;
        }
        ReadResponse.Builder response = ReadResponse.newBuilder();
        for (Session session : sessions.values()) {
            List<Long> some = log(session.partition).offsets.tailSet(session.next, true).stream()
                    .limit(1 + random.nextInt(4))
                    .toList();
            if (session.answered
                    && !some.isEmpty()
                    && (response.getPartitionDataCount() == 0 || random.nextInt(4) == 0)) {
                response.addPartitionData(data(session, some));
                session.next = some.get(some.size() - 1) + 1;
            }
        }
        if (response.getPartitionDataCount() > 0) {
            long size = 1L + random.nextInt(200);
            credit -= size;
            say(FromServer.newBuilder().setReadResponse(response.setBytesSize(size)));
        }
    }

    private ReadResponse.PartitionData data(Session session, List<Long> offsets) {
        ReadResponse.PartitionData.Builder data =
                ReadResponse.PartitionData.newBuilder().setPartitionSessionId(session.id);
        for (long offset : offsets) {
            if (data.getBatchesCount() == 0 || random.nextBoolean()) {
                data.addBatches(ReadResponse.Batch.newBuilder());
            }
            data.getBatchesBuilder(data.getBatchesCount() - 1)
                    .addMessageData(ReadResponse.MessageData.newBuilder().setOffset(offset));
        }
        return data.build();
    }

    private void stop(long partition) {
        sessions.values().stream()
                .filter(session -> session.partition == partition)
                .findFirst()
                .ifPresent(session -> {
                    boolean graceful = random.nextBoolean();
                    sessions.remove(session.id);
                    if (graceful) {
                        stopping.put(session.id, partition);
                    }
                    say(FromServer.newBuilder()
                            .setStopPartitionSessionRequest(StopPartitionSessionRequest.newBuilder()
                                    .setPartitionSessionId(session.id)
                                    .setGraceful(graceful)));
                });
    }

    private void end(long partition) {
        sessions.values().stream()
                .filter(session -> session.partition == partition
                        && session.answered
                        && !session.endTold
                        && session.next == log(partition).end)
                .findFirst()
                .ifPresent(session -> {
                    session.endTold = true;
                    say(FromServer.newBuilder()
                            .setEndPartitionSession(EndPartitionSession.newBuilder()
                                    .setPartitionSessionId(session.id)
                                    .addChildPartitionIds(100)));
                });
    }

    private void say(FromServer.Builder message) {
        toSend.add(message.setStatus(StatusIds.StatusCode.SUCCESS).build());
    }

    /** The next message on its way, if there is one. */
    boolean handOver(ReadStream stream) {
        FromServer message = toSend.poll();
        if (message == null) {
            return false;
        }
        stream.received(message);
        return true;
    }
}
