package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.grpc.Calls;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.StatusCodec;
import io.aardappel.emulator.grpc.Streams;
import io.aardappel.emulator.grpc.Visitor;
import io.aardappel.emulator.grpc.topic.PartitionSession.Phase;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import io.aardappel.emulator.model.topic.CommitRanges;
import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Slice;
import io.aardappel.emulator.model.topic.Topic;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetRequest.PartitionCommitOffset;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.UpdateTokenResponse;

/** The protocol of one StreamRead call. Belongs to the read loop's thread. */
final class ReadStream {
    private static final Logger LOG = LoggerFactory.getLogger(ReadStream.class);
    /** Ranges that one session may commit ahead of a gap. */
    private static final int HELD_RANGES_MAX = 1_000;
    /**
     * Messages other than data that may wait for a client that takes none. What a client asks for it cannot pile up, see
     * {@link #readyForMore}; but partitions come and go without its asking, and a topic may have many of them.
     */
    static final int UNREAD_CONTROL_MAX = 20_000;

    private final ReadLoop loop;
    private final ServerContext context;
    private final ServerCallStreamObserver<FromServer> out;
    private final Visitor visitor;
    private final Map<Long, PartitionSession> sessions = new TreeMap<>();
    private final Deque<PartitionSession> ready = new ArrayDeque<>();
    /** Have data that waits for more credit. */
    private final Set<PartitionSession> starved = new LinkedHashSet<>();

    private final ReadCredit credit = new ReadCredit();
    private final ReadThrottle throttle = new ReadThrottle();
    private final List<Streams.Open> registrations = new ArrayList<>();
    private List<TopicSelection> selections = List.of();
    private String consumer = "";
    private String readerName = "";
    private String sessionId = "";
    private boolean autoPartitioning;
    private boolean initialized;
    private boolean closed;
    private boolean feedScheduled;
    private int unreadControl;
    private long nextSessionId = 1;

    ReadStream(ReadLoop loop, ServerContext context, ServerCallStreamObserver<FromServer> out) {
        this.loop = loop;
        this.context = context;
        this.out = out;
        this.visitor = Visitor.ofCall(context.accounts(), Right.READ);
    }

    boolean supportsAutoPartitioning() {
        return autoPartitioning;
    }

    String sessionId() {
        return sessionId;
    }

    String readerName() {
        return readerName;
    }

    boolean reads(Topic topic) {
        return selections.stream().anyMatch(selection -> selection.topic() == topic);
    }

    /** One message of the client. Whatever is wrong with it ends the stream with a status. */
    void accept(FromClient message) {
        if (closed) {
            return;
        }
        try {
            dispatch(message);
        } catch (RuntimeException e) {
            dismiss(e);
        }
    }

    /** Ends with a refusal, or as the transport ends what it does not let in. */
    private void dismiss(RuntimeException objection) {
        if (objection instanceof StatusRuntimeException unknown) {
            if (!closed) {
                out.onError(unknown);
                close();
            }
            return;
        }
        YdbException refusal = Calls.refusal(objection);
        fail(refusal.status(), refusal.issues());
    }

    private void dispatch(FromClient message) {
        if (!initialized && !message.hasInitRequest()) {
            throw badRequest("the first message of a read session must be init_request");
        }
        switch (message.getClientMessageCase()) {
            case INIT_REQUEST -> init(message.getInitRequest());
            case READ_REQUEST -> addCredit(message.getReadRequest().getBytesSize());
            case COMMIT_OFFSET_REQUEST ->
                commit(message.getCommitOffsetRequest().getCommitOffsetsList());
            case PARTITION_SESSION_STATUS_REQUEST ->
                status(message.getPartitionSessionStatusRequest().getPartitionSessionId());
            case UPDATE_TOKEN_REQUEST -> {
                visitor.shows(message.getUpdateTokenRequest().getToken());
                send(FromServer.newBuilder().setUpdateTokenResponse(UpdateTokenResponse.getDefaultInstance()));
            }
            case START_PARTITION_SESSION_RESPONSE -> started(message.getStartPartitionSessionResponse());
            case STOP_PARTITION_SESSION_RESPONSE ->
                stopped(message.getStopPartitionSessionResponse().getPartitionSessionId());
            case DIRECT_READ_ACK -> throw badRequest("direct read was not asked for in init_request");
            case CLIENTMESSAGE_NOT_SET -> throw badRequest("a message of a read session must not be empty");
        }
    }

    private void init(InitRequest request) {
        if (initialized) {
            throw badRequest("got second init request");
        }
        ReadInit checked = ReadInit.check(request, context.databases());
        loop.faults().refuseOpening(checked.selections());
        visitor.enters(checked.selections().stream()
                .map(selection -> selection.topic().path())
                .toList());
        initialized = true;
        consumer = request.getConsumer();
        readerName = request.getReaderName();
        autoPartitioning = request.getAutoPartitioningSupport();
        selections = checked.selections();
        sessionId = checked.sessionId();
        send(FromServer.newBuilder().setInitResponse(InitResponse.newBuilder().setSessionId(sessionId)));
        for (TopicSelection selection : selections) {
            registrations.add(context.streams()
                    .register(
                            selection.topic().path(),
                            Operation.TOPIC_READ,
                            visitor,
                            () -> loop.execute(this::cut),
                            objection -> loop.execute(() -> dismiss(objection))));
        }
        loop.join(this, consumer, selections);
    }

    private void addCredit(long bytes) {
        if (bytes <= 0) {
            throw badRequest("bytes_size of read_request must be positive, was " + bytes);
        }
        credit.add(bytes);
        feed();
    }

    private void starve(PartitionSession session) {
        starved.add(session);
        if (!feedScheduled) {
            feedScheduled = true;
            loop.schedule(
                    () -> {
                        feedScheduled = false;
                        credit.giveUpWaiting();
                        feed();
                    },
                    ReadCredit.PATIENCE_NANOS);
        }
    }

    private void feed() {
        starved.forEach(this::mayHaveData);
        starved.clear();
        pump();
    }

    /** Offers a partition to the client. */
    PartitionSession start(TopicSelection selection, PartitionInfo partition, @Nullable ConsumerGroup group) {
        long committed = group == null ? 0 : selection.topic().committed(consumer, partition.id());
        PartitionSession session = new PartitionSession(
                nextSessionId++,
                this,
                selection,
                partition.id(),
                group,
                new CommitRanges(committed, partition.start()));
        sessions.put(session.id, session);
        loop.added(session);
        send(ReadMessages.start(session, partition));
        return session;
    }

    private void started(StartPartitionSessionResponse response) {
        PartitionSession session = sessions.get(response.getPartitionSessionId());
        if (session == null || session.isStopping()) {
            return; // the answer to an offer that was withdrawn meanwhile
        }
        if (session.phase != Phase.STARTING) {
            throw badRequest("double partition locking: session %d was confirmed before".formatted(session.id));
        }
        long committed = session.ranges.committed();
        long readOffset = response.hasReadOffset() ? response.getReadOffset() : committed;
        if (readOffset < committed) {
            throw badRequest("trying to read from position that is less than committed: read %d committed %d"
                    .formatted(readOffset, committed));
        }
        session.position = readOffset;
        if (response.hasCommitOffset()) {
            commitAtStart(session, readOffset, response.getCommitOffset());
        }
        session.phase = Phase.READING;
        mayHaveData(session);
        pump();
    }

    private void commitAtStart(PartitionSession session, long readOffset, long commitOffset) {
        if (session.group == null) {
            throw badRequest("commits are impossible when reading without a consumer");
        }
        if (commitOffset < session.ranges.committed() || commitOffset > readOffset) {
            throw badRequest("commit_offset %d must lie between the committed offset %d and read_offset %d"
                    .formatted(commitOffset, session.ranges.committed(), readOffset));
        }
        if (commitOffset > session.topic().partition(session.partition).end()) {
            throw badRequest("trying to commit to future: commit %d".formatted(commitOffset));
        }
        session.ranges.advance(commitOffset);
        store(session);
        openChildren(session);
    }

    private void commit(List<PartitionCommitOffset> commits) {
        if (consumer.isEmpty()) {
            throw badRequest("commits are impossible when reading without a consumer");
        }
        CommitOffsetResponse.Builder moved = CommitOffsetResponse.newBuilder();
        for (PartitionCommitOffset commit : commits) {
            PartitionSession session = sessions.get(commit.getPartitionSessionId());
            if (session != null && addRanges(session, commit.getOffsetsList())) {
                moved.addPartitionsCommittedOffsetsBuilder()
                        .setPartitionSessionId(session.id)
                        .setCommittedOffset(session.ranges.committed());
            }
        }
        if (moved.getPartitionsCommittedOffsetsCount() > 0) {
            send(FromServer.newBuilder().setCommitOffsetResponse(moved));
        }
        for (PartitionCommitOffset commit : commits) {
            PartitionSession session = sessions.get(commit.getPartitionSessionId());
            if (session != null) {
                openChildren(session);
            }
        }
    }

    /** True when the committed offset moved. */
    private boolean addRanges(PartitionSession session, List<OffsetsRange> ranges) {
        long before = session.ranges.committed();
        long end = session.topic().partition(session.partition).end();
        for (OffsetsRange range : ranges) {
            // beyond the end is taken as the end, as YDB does
            if (!session.ranges.add(range.getStart(), Math.min(range.getEnd(), end))) {
                throw badRequest(
                        "Offsets range [%d, %d) has already committed offsets, double committing is forbidden; or incorrect"
                                .formatted(range.getStart(), range.getEnd()));
            }
        }
        if (session.ranges.heldCount() > HELD_RANGES_MAX) {
            throw badRequest(
                    "got more than %d unordered offset ranges to commit in partition %d, committed offset is %d"
                            .formatted(HELD_RANGES_MAX, session.partition, session.ranges.committed()));
        }
        store(session);
        return session.ranges.committed() > before;
    }

    private void store(PartitionSession session) {
        session.topic().commit(consumer, session.partition, session.ranges.committed());
    }

    private static void openChildren(PartitionSession session) {
        if (session.group != null
                && !session.topic().partition(session.partition).active()) {
            session.group.rebalance();
        }
    }

    private void status(long id) {
        PartitionSession session = sessions.get(id);
        if (session == null || session.isStopping()) {
            return; // asked before the client learned that it is over
        }
        send(ReadMessages.status(session, session.topic().partition(session.partition)));
    }

    /** Asks for a partition back; it is taken when the client does not answer in time. */
    void stop(PartitionSession session) {
        session.phase = Phase.STOPPING;
        send(ReadMessages.stop(session, true));
        loop.schedule(
                () -> {
                    if (session.phase == Phase.STOPPING) {
                        LOG.info(
                                "read session {} kept partition {} of {} longer than {}: taken from it",
                                sessionId,
                                session.partition,
                                session.topic().path(),
                                loop.releaseWait());
                        take(session);
                    }
                },
                loop.releaseWait().toNanos());
    }

    private void stopped(long id) {
        PartitionSession session = sessions.get(id);
        if (session == null) {
            return; // the answer to a stop that needed none
        }
        if (!session.isStopping()) {
            throw badRequest("Release of partition that is not requested for release is forbidden for partition %d"
                    .formatted(session.partition));
        }
        forget(session);
        free(session);
    }

    /** Takes a partition from the client without asking; it is given out again. */
    void take(PartitionSession session) {
        revoke(session);
        free(session);
    }

    private void free(PartitionSession session) {
        if (session.group != null) {
            session.group.released(session);
        } else if (!closed) {
            start(session.selection, session.topic().partition(session.partition), null);
        }
    }

    /** Takes a partition from the client without asking; its group knows. */
    void revoke(PartitionSession session) {
        if (session.phase != Phase.CLOSED) {
            send(ReadMessages.stop(session, false));
            forget(session);
        }
    }

    private void forget(PartitionSession session) {
        session.phase = Phase.CLOSED;
        sessions.remove(session.id);
        loop.removed(session);
    }

    /** The session may have something to send: it is looked at in turn. */
    void mayHaveData(PartitionSession session) {
        if (!session.queued && session.phase == Phase.READING) {
            session.queued = true;
            ready.addLast(session);
        }
    }

    /** Sends data while there are messages, credit and room in the transport. */
    void pump() {
        while (!closed && credit.left() > 0 && out.isReady() && mayReadNow()) {
            PartitionSession session = ready.pollFirst();
            if (session == null) {
                return;
            }
            session.queued = false;
            if (session.phase == Phase.READING && deliver(session)) {
                mayHaveData(session);
            }
        }
    }

    /** At most so many bytes a second for so long. */
    void throttle(long bytesPerSecond, Duration howLong) {
        throttle.limit(bytesPerSecond, howLong, loop.nanos());
    }

    private boolean mayReadNow() {
        long wait = throttle.waitNanos(loop.nanos());
        if (wait > 0) {
            loop.schedule(this::pump, wait);
        }
        return wait <= 0;
    }

    /** True when the session should be looked at again at once. */
    private boolean deliver(PartitionSession session) {
        Topic topic = session.topic();
        long position = Math.max(session.position, oldestWanted(session));
        Slice slice = topic.read(session.partition, position);
        if (slice.isEmpty()) {
            session.position = Math.max(session.position, slice.offset());
            atEnd(session);
            return false;
        }
        if (heldBack(session)) {
            return false;
        }
        if (!credit.suffices(slice)) {
            starve(session);
            return false;
        }
        ReadBatcher.Delivery delivery = ReadBatcher.take(session.id, slice, throttle.limit(credit.left()));
        credit.take(delivery.bytes());
        throttle.sent(delivery.bytes(), loop.nanos());
        session.position = delivery.next();
        send(FromServer.newBuilder().setReadResponse(delivery.response()));
        return true;
    }

    private long oldestWanted(PartitionSession session) {
        TopicSelection selection = session.selection;
        long oldest = selection.readFromMillis();
        if (selection.maxLagMillis() > 0) {
            oldest = Math.max(oldest, loop.millis() - selection.maxLagMillis());
        }
        return oldest <= 0 ? 0 : session.topic().offsetAt(session.partition, oldest);
    }

    private void atEnd(PartitionSession session) {
        PartitionInfo partition = session.topic().partition(session.partition);
        if (partition.active() || session.readToEnd || session.position < partition.end()) {
            return;
        }
        session.readToEnd = true;
        if (autoPartitioning) {
            send(ReadMessages.end(session, partition));
        }
        if (session.group != null) {
            session.group.rebalance();
        }
    }

    /** Faults that keep messages back or take the session away; true when nothing may be sent now. */
    private boolean heldBack(PartitionSession session) {
        ReadFaults faults = loop.faults();
        if (faults.strike(Fault.PARTITION_MOVED, session) != null) {
            session.topic().move(session.partition);
            take(session);
            return true;
        }
        Strike silent = faults.strike(Fault.PARTITION_SILENT, session);
        if (silent != null) {
            loop.silence(session.topic(), session.partition, silent.delay());
        }
        Strike throttled = faults.strike(Fault.READS_THROTTLED, session);
        if (throttled != null) {
            throttle(throttled.amount(), throttled.delay());
        }
        return wait(session, faults);
    }

    private boolean wait(PartitionSession session, ReadFaults faults) {
        long now = loop.nanos();
        if (session.notBeforeNanos == Long.MIN_VALUE) {
            Strike slow = faults.strike(Fault.PARTITION_SLOW, session);
            session.notBeforeNanos =
                    slow == null ? Long.MIN_VALUE : now + slow.delay().toNanos();
        }
        long until = Math.max(session.notBeforeNanos, loop.silentUntil(session.topic(), session.partition));
        if (until != Long.MIN_VALUE && until > now) {
            loop.schedule(
                    () -> {
                        mayHaveData(session);
                        pump();
                    },
                    until - now);
            return true;
        }
        session.notBeforeNanos = Long.MIN_VALUE;
        return false;
    }

    /** Partitions came or went, or a consumer did. */
    void topicChanged(Topic topic) {
        if (closed || !reads(topic)) {
            return;
        }
        if (!consumer.isEmpty() && !topic.hasConsumer(consumer)) {
            fail(Status.BAD_REQUEST, "consumer '%s' of topic %s was dropped".formatted(consumer, topic.path()));
            return;
        }
        for (PartitionSession session : new ArrayList<>(sessions.values())) {
            if (session.topic() == topic) {
                skipWhatIsGone(session);
                mayHaveData(session);
            }
        }
        pump();
    }

    /** Retention may have taken messages that the session has not committed: they need no commit any more. */
    private void skipWhatIsGone(PartitionSession session) {
        long before = session.ranges.committed();
        session.ranges.trimmed(session.topic().partition(session.partition).start());
        if (session.group != null && session.ranges.committed() > before) {
            store(session);
            send(ReadMessages.committed(session));
        }
    }

    void topicDropped(Topic topic) {
        if (!closed && reads(topic)) {
            fail(Status.SCHEME_ERROR, List.of(Issue.of(Issue.SCHEME, "topic %s was dropped".formatted(topic.path()))));
        }
    }

    /**
     * Whether the next message of the client should be read. Answers stand in one ordered stream: a client that leaves them there
     * is not read further, so that HTTP/2 holds back its requests, and what they would be answered with, on its own side.
     */
    boolean readyForMore() {
        return closed || out.isReady();
    }

    private void send(FromServer.Builder message) {
        if (closed) {
            return;
        }
        unreadControl = out.isReady() ? 0 : unreadControl + 1;
        if (unreadControl > UNREAD_CONTROL_MAX) {
            // later: whoever sends may be in the middle of giving out partitions
            loop.execute(() -> fail(
                    Status.OVERLOADED, "the client left more than %d messages unread".formatted(UNREAD_CONTROL_MAX)));
            return;
        }
        out.onNext(message.setStatus(StatusCode.SUCCESS).build());
    }

    private static YdbException badRequest(String message) {
        return new YdbException(Status.BAD_REQUEST, message);
    }

    private void fail(Status status, String message) {
        fail(status, List.of(Issue.of(message)));
    }

    private void fail(Status status, List<Issue> issues) {
        if (closed) {
            return;
        }
        LOG.debug("read session {} ends with {} {}", sessionId, status, issues);
        out.onNext(FromServer.newBuilder()
                .setStatus(StatusCodec.encode(status))
                .addAllIssues(StatusCodec.encode(issues))
                .build());
        out.onCompleted();
        close();
    }

    /** The connection breaks: the client sees gRPC UNAVAILABLE. */
    void cut() {
        if (!closed) {
            out.onError(Streams.cut().asRuntimeException());
            close();
        }
    }

    /** The client closed its side: nothing more will come. */
    void finish() {
        if (!closed) {
            out.onCompleted();
            close();
        }
    }

    /** The stream is over; what it held is free at once. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (PartitionSession session : new ArrayList<>(sessions.values())) {
            forget(session);
        }
        ready.clear();
        starved.clear();
        registrations.forEach(Streams.Open::close);
        loop.left(this, selections);
    }
}
