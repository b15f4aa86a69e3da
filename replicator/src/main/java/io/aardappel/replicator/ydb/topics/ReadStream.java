package io.aardappel.replicator.ydb.topics;

import io.aardappel.access.ydb.StatusText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Issue;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.StatusCodesProtos.StatusIds;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetRequest.PartitionCommitOffset;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetResponse.PartitionCommittedOffset;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.EndPartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSessionStatusRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.UpdateTokenRequest;

/**
 * The protocol of one read stream that names its partitions, from its first message to its end: what comes of a server's
 * message or of a wish, without I/O, threads or clocks. What it wants sent and told goes to its {@link Peer} at once,
 * except for credit and commits, which {@link #flush} sends together. After its end it does nothing any more. Not
 * thread-safe.
 */
final class ReadStream {
    /** Sends for a stream and hears what happens in it. */
    interface Peer {
        void send(FromClient message);

        /** The server accepted the stream. */
        void opened();

        void started(long partition, long session, long committedOffset, OffsetsRange offsets);

        /** Messages at and above {@code fromOffset}; the credit is owed to {@link ReadStream#giveBack}. */
        void data(
                long partition,
                long session,
                List<ReadResponse.Batch> batches,
                long fromOffset,
                long nextOffset,
                long credit);

        void acknowledged(long partition, long session, long committedOffset);

        void split(long partition, long session, List<Long> children);

        /** Nothing more comes of the session. */
        void ended(long partition, long session, String why);

        /** The stream is over by a server's word or fault; all its sessions were told to have ended before. */
        void failed(StatusCode code, String why);
    }

    /** What a stream reads, for whom. */
    record Target(String topic, String consumer, String readerName, Collection<Long> partitions) {}

    private enum Stage {
        NEW,
        OPENING,
        OPEN,
        OVER
    }

    private static final class Session {
        final long partition;
        final long number;
        final long serverId;
        final long committed;
        boolean confirmed;
        long nextOffset;
        long commitRequested;
        long acknowledged;

        Session(long partition, long number, long serverId, long committed) {
            this.partition = partition;
            this.number = number;
            this.serverId = serverId;
            this.committed = committed;
            this.commitRequested = committed;
            this.acknowledged = committed;
        }
    }

    private final Target target;
    private final LongSupplier sessionNumbers;
    private final Peer peer;
    private final Map<Long, Session> byServerId = new LinkedHashMap<>();
    private final Map<Long, Session> byPartition = new LinkedHashMap<>();
    private final Map<Session, List<OffsetsRange>> commits = new LinkedHashMap<>();
    private Stage stage = Stage.NEW;
    private boolean parked;
    private long owed;

    /**
     * @param credit bytes that the server may have sent and not got back, above 0
     * @param sessionNumbers a new number at each call, rising over all streams of the process
     */
    ReadStream(Target target, long credit, LongSupplier sessionNumbers, Peer peer) {
        this.target = target;
        this.sessionNumbers = sessionNumbers;
        this.peer = peer;
        this.owed = credit;
    }

    /** Begins; the first credit follows the server's answer. */
    void open() {
        stage = Stage.OPENING;
        peer.send(FromClient.newBuilder()
                .setInitRequest(InitRequest.newBuilder()
                        .setConsumer(target.consumer())
                        .setReaderName(target.readerName())
                        .setAutoPartitioningSupport(true)
                        .addTopicsReadSettings(InitRequest.TopicReadSettings.newBuilder()
                                .setPath(target.topic())
                                .addAllPartitionIds(target.partitions())))
                .build());
    }

    /** Takes one message of the server. */
    void received(FromServer message) {
        if (stage == Stage.OVER) {
            return;
        }
        if (message.getStatus() != StatusIds.StatusCode.SUCCESS) {
            StatusCode code = StatusCode.fromProto(message.getStatus());
            fail(code, StatusText.of(Status.of(code, Issue.fromPb(message.getIssuesList()))));
            return;
        }
        if (message.hasInitResponse() != (stage == Stage.OPENING)) {
            fail(
                    StatusCode.CLIENT_INTERNAL_ERROR,
                    "protocol fault: " + message.getServerMessageCase() + " at the wrong time");
            return;
        }
        switch (message.getServerMessageCase()) {
            case INIT_RESPONSE -> {
                stage = Stage.OPEN;
                peer.opened();
                flush();
            }
            case START_PARTITION_SESSION_REQUEST -> start(message.getStartPartitionSessionRequest());
            case READ_RESPONSE -> read(message.getReadResponse());
            case COMMIT_OFFSET_RESPONSE ->
                message.getCommitOffsetResponse()
                        .getPartitionsCommittedOffsetsList()
                        .forEach(this::acknowledge);
            case STOP_PARTITION_SESSION_REQUEST -> stop(message.getStopPartitionSessionRequest());
            case END_PARTITION_SESSION -> split(message.getEndPartitionSession());
            // an answer, or about a feature not asked for: that something came is all they say
            case UPDATE_TOKEN_RESPONSE, PARTITION_SESSION_STATUS_RESPONSE, UPDATE_PARTITION_SESSION -> {}
            case SERVERMESSAGE_NOT_SET ->
                fail(StatusCode.CLIENT_INTERNAL_ERROR, "protocol fault: a message of an unknown kind");
        }
    }

    private void start(StartPartitionSessionRequest request) {
        long partition = request.getPartitionSession().getPartitionId();
        if (!target.partitions().contains(partition)) {
            fail(StatusCode.CLIENT_INTERNAL_ERROR, "protocol fault: partition " + partition + " was not asked for");
            return;
        }
        Session former = byPartition.get(partition);
        if (former != null) {
            end(former, "the server started the partition anew");
        }
        Session session = new Session(
                partition,
                sessionNumbers.getAsLong(),
                request.getPartitionSession().getPartitionSessionId(),
                request.getCommittedOffset());
        byServerId.put(session.serverId, session);
        byPartition.put(partition, session);
        peer.started(partition, session.number, session.committed, request.getPartitionOffsets());
    }

    /** Lets the session deliver from an offset on, which the server does not accept below the committed one. */
    void confirm(long partition, long number, long readOffset) {
        Session session = current(partition, number);
        if (session == null || session.confirmed) {
            return;
        }
        session.confirmed = true;
        session.nextOffset = Math.max(readOffset, session.committed);
        StartPartitionSessionResponse.Builder response =
                StartPartitionSessionResponse.newBuilder().setPartitionSessionId(session.serverId);
        if (session.nextOffset > session.committed) {
            response.setReadOffset(session.nextOffset);
        }
        peer.send(FromClient.newBuilder()
                .setStartPartitionSessionResponse(response)
                .build());
    }

    private void read(ReadResponse response) {
        long left = response.getBytesSize();
        int parts = response.getPartitionDataCount();
        for (int i = 0; i < parts && stage == Stage.OPEN; i++) {
            ReadResponse.PartitionData data = response.getPartitionData(i);
            long share = i == parts - 1 ? left : left / (parts - i);
            left -= share;
            deliver(data, share);
        }
        if (parts == 0) {
            giveBack(left);
        }
    }

    /** Data of a session that is over, or below what was asked for, is worth its credit and no more. */
    private void deliver(ReadResponse.PartitionData data, long share) {
        Session session = byServerId.get(data.getPartitionSessionId());
        if (session == null || !session.confirmed) {
            giveBack(share);
            return;
        }
        long last = lastOffset(data);
        if (last < session.nextOffset) {
            giveBack(share);
            return;
        }
        long from = session.nextOffset;
        session.nextOffset = last + 1;
        peer.data(session.partition, session.number, data.getBatchesList(), from, session.nextOffset, share);
    }

    private static long lastOffset(ReadResponse.PartitionData data) {
        long last = -1;
        for (ReadResponse.Batch batch : data.getBatchesList()) {
            if (batch.getMessageDataCount() > 0) {
                last = Math.max(
                        last,
                        batch.getMessageData(batch.getMessageDataCount() - 1).getOffset());
            }
        }
        return last;
    }

    /** Credit that {@link Peer#data} handed out, or part of it. */
    void giveBack(long bytes) {
        owed += bytes;
    }

    /** Stops granting credit: the server sends no more than what it has left. */
    void park() {
        parked = true;
    }

    void resume() {
        parked = false;
    }

    /** Asks for a commit; ranges of a session adjoin, and what was asked for already is not asked for again. */
    void commit(long partition, long number, long from, long to) {
        Session session = current(partition, number);
        if (session == null || to <= session.commitRequested) {
            return;
        }
        long begin = Math.max(from, session.commitRequested);
        session.commitRequested = to;
        List<OffsetsRange> ranges = commits.computeIfAbsent(session, any -> new ArrayList<>());
        int last = ranges.size() - 1;
        if (last >= 0 && ranges.get(last).getEnd() == begin) {
            begin = ranges.remove(last).getStart();
        }
        ranges.add(OffsetsRange.newBuilder().setStart(begin).setEnd(to).build());
    }

    private void acknowledge(PartitionCommittedOffset acknowledged) {
        Session session = byServerId.get(acknowledged.getPartitionSessionId());
        if (session != null && acknowledged.getCommittedOffset() > session.acknowledged) {
            session.acknowledged = acknowledged.getCommittedOffset();
            peer.acknowledged(session.partition, session.number, session.acknowledged);
        }
    }

    private void stop(StopPartitionSessionRequest request) {
        Session session = byServerId.get(request.getPartitionSessionId());
        if (session == null) {
            return;
        }
        if (request.getGraceful()) {
            flush(); // commits asked for so far still count
        }
        end(
                session,
                request.getGraceful() ? "the server takes the partition back" : "the server took the partition away");
        if (request.getGraceful()) {
            peer.send(FromClient.newBuilder()
                    .setStopPartitionSessionResponse(
                            StopPartitionSessionResponse.newBuilder().setPartitionSessionId(session.serverId))
                    .build());
        }
    }

    private void split(EndPartitionSession end) {
        Session session = byServerId.get(end.getPartitionSessionId());
        if (session != null) {
            peer.split(session.partition, session.number, end.getChildPartitionIdsList());
        }
    }

    private void end(Session session, String why) {
        byServerId.remove(session.serverId);
        byPartition.remove(session.partition);
        commits.remove(session);
        peer.ended(session.partition, session.number, why);
    }

    /** Sends the credit and the commits that gathered since the last time. */
    void flush() {
        if (stage != Stage.OPEN) {
            return;
        }
        if (owed > 0 && !parked) {
            peer.send(FromClient.newBuilder()
                    .setReadRequest(ReadRequest.newBuilder().setBytesSize(owed))
                    .build());
            owed = 0;
        }
        if (!commits.isEmpty()) {
            CommitOffsetRequest.Builder request = CommitOffsetRequest.newBuilder();
            commits.forEach((session, ranges) -> request.addCommitOffsets(PartitionCommitOffset.newBuilder()
                    .setPartitionSessionId(session.serverId)
                    .addAllOffsets(ranges)));
            commits.clear();
            peer.send(FromClient.newBuilder().setCommitOffsetRequest(request).build());
        }
    }

    /** Asks something that the server must answer; false when there is no session to ask about. */
    boolean probe() {
        if (stage != Stage.OPEN || byServerId.isEmpty()) {
            return false;
        }
        long any = byServerId.keySet().iterator().next();
        peer.send(FromClient.newBuilder()
                .setPartitionSessionStatusRequest(
                        PartitionSessionStatusRequest.newBuilder().setPartitionSessionId(any))
                .build());
        return true;
    }

    /** Tells the server the ticket that counts from now on. */
    void token(String token) {
        if (stage == Stage.OPEN) {
            peer.send(FromClient.newBuilder()
                    .setUpdateTokenRequest(UpdateTokenRequest.newBuilder().setToken(token))
                    .build());
        }
    }

    /** The connection is gone, or not wanted any more: every session ends. */
    void close(String why) {
        stage = Stage.OVER;
        for (Session session : List.copyOf(byServerId.values())) {
            end(session, why);
        }
    }

    private void fail(StatusCode code, String why) {
        close(why);
        peer.failed(code, why);
    }

    private @Nullable Session current(long partition, long number) {
        Session session = byPartition.get(partition);
        return stage == Stage.OPEN && session != null && session.number == number ? session : null;
    }

    boolean isOpen() {
        return stage == Stage.OPEN;
    }

    /** Whether the server has given us the partition. */
    boolean hasSession(long partition) {
        return byPartition.containsKey(partition);
    }
}
