package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.StatusCodesProtos.StatusIds;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionRequest;

@DisplayName("The protocol of a read stream")
class ReadStreamTest {
    private static final long CREDIT = 1000;

    /** Keeps what the stream tells, in words. */
    private static final class Heard implements ReadStream.Peer {
        final List<FromClient> sent = new ArrayList<>();
        final List<String> told = new ArrayList<>();

        @Override
        public void send(FromClient message) {
            sent.add(message);
        }

        @Override
        public void opened() {
            told.add("opened");
        }

        @Override
        public void started(long partition, long session, long committedOffset, OffsetsRange offsets) {
            told.add("started " + partition + " session " + session + " at " + committedOffset);
        }

        @Override
        public void data(
                long partition,
                long session,
                List<ReadResponse.Batch> batches,
                long fromOffset,
                long nextOffset,
                long credit) {
            told.add("data " + partition + " session " + session + " [" + fromOffset + "," + nextOffset + ") for "
                    + credit);
        }

        @Override
        public void acknowledged(long partition, long session, long committedOffset) {
            told.add("acknowledged " + partition + " up to " + committedOffset);
        }

        @Override
        public void split(long partition, long session, List<Long> children) {
            told.add("split " + partition + " into " + children);
        }

        @Override
        public void ended(long partition, long session, String why) {
            told.add("ended " + partition + " session " + session);
        }

        @Override
        public void failed(StatusCode code, String why) {
            told.add("failed " + code.name() + ": " + why);
        }
    }

    @Nested
    @DisplayName("that was opened for partitions 3 and 4")
    class Opened {
        private final Heard heard = new Heard();
        private final AtomicLong numbers = new AtomicLong(70);
        private final ReadStream stream = new ReadStream(
                new ReadStream.Target("/local/t", "c", "r", List.of(3L, 4L)), CREDIT, numbers::incrementAndGet, heard);

        @BeforeEach
        void open() {
            stream.open();
        }

        private void receive(FromServer.Builder message) {
            stream.received(message.setStatus(StatusIds.StatusCode.SUCCESS).build());
            stream.flush();
        }

        private void initialize() {
            receive(FromServer.newBuilder().setInitResponse(InitResponse.getDefaultInstance()));
        }

        private void start(long partition, long serverId, long committed) {
            receive(FromServer.newBuilder()
                    .setStartPartitionSessionRequest(StartPartitionSessionRequest.newBuilder()
                            .setPartitionSession(PartitionSession.newBuilder()
                                    .setPartitionSessionId(serverId)
                                    .setPartitionId(partition))
                            .setCommittedOffset(committed)));
        }

        private void read(long serverId, long size, long... offsets) {
            ReadResponse.Batch.Builder batch = ReadResponse.Batch.newBuilder();
            LongStream.of(offsets)
                    .forEach(offset -> batch.addMessageData(
                            ReadResponse.MessageData.newBuilder().setOffset(offset)));
            receive(FromServer.newBuilder()
                    .setReadResponse(ReadResponse.newBuilder()
                            .setBytesSize(size)
                            .addPartitionData(ReadResponse.PartitionData.newBuilder()
                                    .setPartitionSessionId(serverId)
                                    .addBatches(batch))));
        }

        private FromClient lastSent() {
            return heard.sent.get(heard.sent.size() - 1);
        }

        private String lastTold() {
            return heard.told.get(heard.told.size() - 1);
        }

        @Test
        void namesItsPartitionsAndUnderstandsSplits() {
            assertThat(heard.sent).hasSize(1);
            assertThat(lastSent().getInitRequest().getAutoPartitioningSupport()).isTrue();
            assertThat(lastSent().getInitRequest().getTopicsReadSettings(0).getPartitionIdsList())
                    .containsExactly(3L, 4L);
        }

        @Test
        void grantsCreditOnlyOnceTheServerAccepted() {
            stream.flush();
            assertThat(heard.sent).hasSize(1);
            initialize();
            assertThat(lastSent().getReadRequest().getBytesSize()).isEqualTo(CREDIT);
        }

        @Test
        void failsWhenSomethingComesBeforeTheAcceptance() {
            start(3, 1, 0);
            assertThat(lastTold()).startsWith("failed CLIENT_INTERNAL_ERROR: protocol fault");
        }

        @Test
        void failsWithTheServersWords() {
            stream.received(FromServer.newBuilder()
                    .setStatus(StatusIds.StatusCode.SCHEME_ERROR)
                    .addIssues(IssueMessage.newBuilder()
                            .setMessage("no path")
                            .addIssues(IssueMessage.newBuilder().setMessage("'/local/t'")))
                    .build());
            assertThat(lastTold()).isEqualTo("failed SCHEME_ERROR: SCHEME_ERROR: no path: '/local/t'");
        }

        @Test
        void failsWhenGivenAPartitionThatItDidNotName() {
            initialize();
            start(5, 1, 0);
            assertThat(lastTold()).contains("partition 5 was not asked for");
        }

        @Test
        void confirmsAtTheCommittedOffsetWithoutNamingIt() {
            initialize();
            start(3, 1, 10);
            stream.confirm(3, 71, 10);
            assertThat(lastSent().getStartPartitionSessionResponse().hasReadOffset())
                    .isFalse();
        }

        @Test
        void neverConfirmsBelowTheCommittedOffset() {
            initialize();
            start(3, 1, 10);
            stream.confirm(3, 71, 4);
            assertThat(lastSent().getStartPartitionSessionResponse().hasReadOffset())
                    .isFalse();
        }

        @Test
        void ignoresAConfirmationOfAnotherSession() {
            initialize();
            start(3, 1, 10);
            stream.confirm(3, 70, 12);
            assertThat(lastSent().hasReadRequest()).isTrue();
        }

        @Test
        void deliversFromTheConfirmedOffsetOn() {
            initialize();
            start(3, 1, 10);
            stream.confirm(3, 71, 12);
            read(1, 100, 10, 11, 12, 15);
            assertThat(lastTold()).isEqualTo("data 3 session 71 [12,16) for 100");
        }

        @Test
        void givesBackTheCreditOfWhatLiesBelow() {
            initialize();
            start(3, 1, 10);
            stream.confirm(3, 71, 12);
            read(1, 100, 10, 11);
            assertThat(lastTold()).startsWith("started");
            assertThat(lastSent().getReadRequest().getBytesSize()).isEqualTo(100);
        }

        @Test
        void givesBackTheCreditOfSessionsThatAreOver() {
            initialize();
            read(99, 100, 10, 11);
            assertThat(lastSent().getReadRequest().getBytesSize()).isEqualTo(100);
        }

        @Test
        void holdsTheCreditOfDataUntilItIsGivenBack() {
            initialize();
            start(3, 1, 0);
            stream.confirm(3, 71, 0);
            read(1, 100, 0);
            assertThat(lastSent().hasStartPartitionSessionResponse()).isTrue();
            stream.giveBack(100);
            stream.flush();
            assertThat(lastSent().getReadRequest().getBytesSize()).isEqualTo(100);
        }

        @Test
        void keepsCreditBackWhileParked() {
            initialize();
            start(3, 1, 0);
            stream.confirm(3, 71, 0);
            read(1, 100, 0);
            stream.park();
            stream.giveBack(100);
            stream.flush();
            assertThat(lastSent().hasStartPartitionSessionResponse()).isTrue();
            stream.resume();
            stream.flush();
            assertThat(lastSent().getReadRequest().getBytesSize()).isEqualTo(100);
        }

        @Test
        void joinsCommitsThatAdjoin() {
            initialize();
            start(3, 1, 10);
            stream.commit(3, 71, 10, 20);
            stream.commit(3, 71, 20, 25);
            stream.commit(3, 71, 12, 25);
            stream.flush();
            assertThat(lastSent().getCommitOffsetRequest().getCommitOffsets(0).getOffsetsList())
                    .containsExactly(
                            OffsetsRange.newBuilder().setStart(10).setEnd(25).build());
        }

        @Test
        void sendsCommitsBeforeItLetsAPartitionGo() {
            initialize();
            start(3, 1, 10);
            stream.commit(3, 71, 10, 20);
            receive(FromServer.newBuilder()
                    .setStopPartitionSessionRequest(StopPartitionSessionRequest.newBuilder()
                            .setPartitionSessionId(1)
                            .setGraceful(true)));
            assertThat(heard.sent.get(heard.sent.size() - 2).hasCommitOffsetRequest())
                    .isTrue();
            assertThat(lastSent().hasStopPartitionSessionResponse()).isTrue();
            assertThat(lastTold()).isEqualTo("ended 3 session 71");
        }

        @Test
        void doesNotAnswerAStopByForce() {
            initialize();
            start(3, 1, 10);
            receive(FromServer.newBuilder()
                    .setStopPartitionSessionRequest(
                            StopPartitionSessionRequest.newBuilder().setPartitionSessionId(1)));
            assertThat(lastSent().hasReadRequest()).isTrue();
            assertThat(lastTold()).isEqualTo("ended 3 session 71");
        }

        @Test
        void endsAllSessionsWhenItIsClosed() {
            initialize();
            start(3, 1, 0);
            start(4, 2, 0);
            stream.close("done");
            assertThat(heard.told).endsWith("ended 3 session 71", "ended 4 session 72");
        }

        @Test
        void isDeafOnceItIsOver() {
            initialize();
            stream.close("done");
            int before = heard.told.size();
            start(3, 1, 0);
            assertThat(heard.told).hasSize(before);
        }
    }

    /** A small engine that checks what it is told: each offset once, in order, none left out. */
    private static final class CheckingEngine implements ReadStream.Peer {
        private final StrictServer server;
        private final Map<Long, Long> session = new HashMap<>();
        private final Map<Long, Long> next = new HashMap<>();
        private final Map<Long, Long> committed = new HashMap<>();
        private final List<Long> pendingStarts = new ArrayList<>();
        private final List<Long> held = new ArrayList<>();
        private int delivered;

        CheckingEngine(StrictServer server) {
            this.server = server;
        }

        @Override
        public void send(FromClient message) {
            server.accept(message);
        }

        @Override
        public void opened() {}

        @Override
        public void started(long partition, long number, long committedOffset, OffsetsRange offsets) {
            assertThat(number).isGreaterThan(session.getOrDefault(partition, 0L));
            session.put(partition, number);
            committed.put(partition, committedOffset);
            pendingStarts.add(partition);
        }

        @Override
        public void data(
                long partition,
                long number,
                List<ReadResponse.Batch> batches,
                long fromOffset,
                long nextOffset,
                long credit) {
            assertThat(session).containsEntry(partition, number);
            assertThat(fromOffset).isEqualTo(of(next, partition));
            List<Long> offsets = batches.stream()
                    .flatMap(batch -> batch.getMessageDataList().stream())
                    .map(ReadResponse.MessageData::getOffset)
                    .filter(offset -> offset >= fromOffset)
                    .toList();
            assertThat(offsets)
                    .isEqualTo(List.copyOf(server.log(partition).offsets.subSet(fromOffset, nextOffset)));
            next.put(partition, nextOffset);
            delivered += offsets.size();
            held.add(credit);
        }

        @Override
        public void acknowledged(long partition, long number, long committedOffset) {
            assertThat(session).containsEntry(partition, number);
            assertThat(committedOffset).isLessThanOrEqualTo(of(committed, partition));
        }

        @Override
        public void split(long partition, long number, List<Long> children) {
            assertThat(session).containsEntry(partition, number);
            assertThat(children).containsExactly(100L);
        }

        @Override
        public void ended(long partition, long number, String why) {
            assertThat(session).containsEntry(partition, number);
            session.put(partition, -number);
            pendingStarts.remove(partition);
        }

        @Override
        public void failed(StatusCode code, String why) {
            throw new AssertionError(code + " " + why);
        }

        private static long of(Map<Long, Long> map, long partition) {
            return Objects.requireNonNull(map.get(partition));
        }

        /** One thing that an engine may do now. */
        void act(ReadStream stream, Random random) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (!pendingStarts.isEmpty()) {
                        confirm(stream, pendingStarts.remove(random.nextInt(pendingStarts.size())));
                    }
                }
                case 1, 2 -> {
                    if (!held.isEmpty()) {
                        stream.giveBack(held.remove(random.nextInt(held.size())));
                    }
                }
                case 3 -> commit(stream, random);
                case 4 -> {
                    if (random.nextBoolean()) {
                        stream.park();
                    } else {
                        stream.resume();
                    }
                }
                default -> stream.flush();
            }
        }

        /** Where it was, or where the server would begin if that is later. */
        void confirm(ReadStream stream, long partition) {
            next.merge(partition, of(committed, partition), Math::max);
            stream.confirm(partition, of(session, partition), of(next, partition));
        }

        void commit(ReadStream stream, Random random) {
            for (long partition : List.copyOf(session.keySet())) {
                long from = of(committed, partition);
                long to = next.getOrDefault(partition, 0L);
                if (of(session, partition) > 0
                        && !pendingStarts.contains(partition)
                        && to > from
                        && random.nextBoolean()) {
                    stream.commit(partition, of(session, partition), from, to);
                    committed.put(partition, to);
                }
            }
        }

        void settle(ReadStream stream) {
            List.copyOf(pendingStarts).forEach(partition -> confirm(stream, partition));
            pendingStarts.clear();
            held.forEach(stream::giveBack);
            held.clear();
            stream.resume();
            stream.flush();
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsRulesWhateverTheServerDoes(long seed) {
        Random random = new Random(seed);
        StrictServer server = new StrictServer(random, 3);
        CheckingEngine engine = new CheckingEngine(server);
        AtomicLong numbers = new AtomicLong();
        ReadStream stream = new ReadStream(
                new ReadStream.Target("/local/t", "c", "r", List.of(0L, 1L, 2L)),
                CREDIT,
                numbers::incrementAndGet,
                engine);
        stream.open();
        for (int step = 0; step < 5_000; step++) {
            switch (random.nextInt(3)) {
                case 0 -> server.act();
                case 1 -> server.handOver(stream);
                default -> engine.act(stream, random);
            }
        }
        long appended = finish(server, engine, stream);
        assertThat(engine.next.values()).as("seed %d: read to the end", seed).hasSize(3);
        server.partitions()
                .forEach(partition -> assertThat(engine.next)
                        .as("seed %d", seed)
                        .containsEntry(partition, server.log(partition).end));
        assertThat((long) engine.delivered)
                .as("seed %d: nothing left out or twice", seed)
                .isEqualTo(appended);
        assertThat(server.credit).as("seed %d: all credit is back", seed).isEqualTo(CREDIT);
    }

    /** Lets both sides do what is left to do; returns how many messages there were. */
    private static long finish(StrictServer server, CheckingEngine engine, ReadStream stream) {
        for (int round = 0; round < 2_000; round++) {
            server.partitions().forEach(server::start);
            server.deliver();
            while (server.handOver(stream)) {
                engine.settle(stream);
            }
            engine.settle(stream);
        }
        return server.partitions().stream()
                .mapToLong(partition -> server.log(partition).offsets.size())
                .sum();
    }
}
