package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetResponse.PartitionCommittedOffset;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionResponse;

/** A reader that obeys the protocol in random order, and checks that the server does. */
final class SimulatedReader {
    /** What the reader knows of one partition session. */
    static final class Session {
        final long id;
        final int partition;
        boolean confirmed;
        boolean stopping;
        /** Offset after the last message received. */
        long next;
        /** Offset up to which commits were sent. */
        long commitSent;
        /** Offset that the server last said is committed. */
        long committed;

        Session(StartPartitionSessionRequest start) {
            id = start.getPartitionSession().getPartitionSessionId();
            partition = (int) start.getPartitionSession().getPartitionId();
            committed = start.getCommittedOffset();
            commitSent = committed;
            next = committed;
        }
    }

    private final ReadSimulation simulation;
    private final ReadStream stream;
    private final Map<Long, Session> sessions = new LinkedHashMap<>();
    private final boolean support;
    private long credit;
    private boolean ended;
    /** What the server said last was an end of the stream that nobody asked for. */
    private boolean refused;

    SimulatedReader(ReadSimulation simulation, boolean support, long... partitions) {
        this.simulation = simulation;
        this.support = support;
        this.stream = new ReadStream(
                simulation.loop, simulation.server.context, new RecordingCall<>(this::received, () -> ended = true));
        simulation.loop.opened(stream);
        InitRequest.Builder init =
                InitRequest.newBuilder().setConsumer(ReadSimulation.CONSUMER).setAutoPartitioningSupport(support);
        var settings = init.addTopicsReadSettingsBuilder().setPath("t");
        for (long partition : partitions) {
            settings.addPartitionIds(partition);
        }
        send(FromClient.newBuilder().setInitRequest(init));
    }

    boolean supports() {
        return support;
    }

    List<Session> sessions() {
        return new ArrayList<>(sessions.values());
    }

    boolean ended() {
        return ended;
    }

    private void send(FromClient.Builder message) {
        stream.accept(message.build());
        assertThat(refused).as("a correct request was refused: %s", message).isFalse();
    }

    private void received(FromServer message) {
        refused |= message.getStatus() != StatusCode.SUCCESS;
        switch (message.getServerMessageCase()) {
            case START_PARTITION_SESSION_REQUEST -> start(message.getStartPartitionSessionRequest());
            case READ_RESPONSE -> data(message.getReadResponse());
            case COMMIT_OFFSET_RESPONSE ->
                message.getCommitOffsetResponse()
                        .getPartitionsCommittedOffsetsList()
                        .forEach(this::acknowledged);
            case STOP_PARTITION_SESSION_REQUEST -> {
                Session session =
                        session(message.getStopPartitionSessionRequest().getPartitionSessionId());
                session.stopping = true;
                if (!message.getStopPartitionSessionRequest().getGraceful()) {
                    forget(session);
                }
            }
            case END_PARTITION_SESSION -> {
                assertThat(support)
                        .as("end_partition_session to a reader that knows of it")
                        .isTrue();
                Session session = session(message.getEndPartitionSession().getPartitionSessionId());
                assertThat(session.next).isEqualTo(simulation.end(session.partition));
            }
            default -> assertThat(message.getServerMessageCase()).isNotNull();
        }
    }

    private Session session(long id) {
        Session session = sessions.get(id);
        assertThat(session).as("session %d", id).isNotNull();
        if (session == null) {
            throw new AssertionError();
        }
        return session;
    }

    private void start(StartPartitionSessionRequest request) {
        Session session = new Session(request);
        assertThat(sessions.put(session.id, session)).isNull();
        simulation.started(this, session);
    }

    private void forget(Session session) {
        sessions.remove(session.id);
        simulation.released(this, session);
    }

    private void data(ReadResponse response) {
        assertThat(credit).as("credit before data").isPositive();
        ReadResponse.PartitionData data = response.getPartitionData(0);
        Session session = session(data.getPartitionSessionId());
        assertThat(session.confirmed && !session.stopping)
                .as("data only between confirmation and stop")
                .isTrue();
        int count = 0;
        for (ReadResponse.Batch batch : data.getBatchesList()) {
            assertThat(batch.getMessageDataCount()).isPositive();
            for (ReadResponse.MessageData message : batch.getMessageDataList()) {
                assertThat(message.getOffset()).isEqualTo(session.next++);
                simulation.delivered(this, session.partition, message);
                count++;
            }
        }
        assertThat(credit >= response.getBytesSize() || count == 1)
                .as("only one message alone may overdraw")
                .isTrue();
        credit -= response.getBytesSize();
    }

    private void acknowledged(PartitionCommittedOffset offset) {
        Session session = session(offset.getPartitionSessionId());
        assertThat(offset.getCommittedOffset()).isGreaterThan(session.committed).isLessThanOrEqualTo(session.next);
        session.committed = offset.getCommittedOffset();
    }

    void grant(long bytes) {
        credit += bytes;
        send(FromClient.newBuilder().setReadRequest(ReadRequest.newBuilder().setBytesSize(bytes)));
    }

    long credit() {
        return credit;
    }

    /** Confirms what is offered. */
    void confirm(Session session) {
        if (!session.confirmed) {
            session.confirmed = true;
            send(FromClient.newBuilder()
                    .setStartPartitionSessionResponse(
                            StartPartitionSessionResponse.newBuilder().setPartitionSessionId(session.id)));
        }
    }

    /** Commits a part of what was received and not yet committed. */
    void commit(Session session, SplittableRandom random) {
        long left = session.next - session.commitSent;
        if (left > 0) {
            commitTo(session, session.commitSent + random.nextLong(1, left + 1));
        }
    }

    void commitTo(Session session, long end) {
        if (end > session.commitSent) {
            CommitOffsetRequest.Builder commit = CommitOffsetRequest.newBuilder();
            commit.addCommitOffsetsBuilder()
                    .setPartitionSessionId(session.id)
                    .addOffsets(OffsetsRange.newBuilder()
                            .setStart(session.commitSent)
                            .setEnd(end));
            session.commitSent = end;
            send(FromClient.newBuilder().setCommitOffsetRequest(commit));
        }
    }

    /** Gives back what was asked for. */
    void release(Session session) {
        if (session.stopping && sessions.containsKey(session.id)) {
            forget(session);
            send(FromClient.newBuilder()
                    .setStopPartitionSessionResponse(
                            StopPartitionSessionResponse.newBuilder().setPartitionSessionId(session.id)));
        }
    }

    /** Goes away without a word. */
    void vanish() {
        List<Session> lost = sessions();
        sessions.clear();
        lost.forEach(session -> simulation.released(this, session));
        ended = true;
        stream.close();
    }
}
