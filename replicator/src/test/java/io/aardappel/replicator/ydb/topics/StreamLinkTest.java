package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcReadWriteStream;
import tech.ydb.proto.StatusCodesProtos.StatusIds;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSessionStatusResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;

@DisplayName("The keeping up of a read stream")
class StreamLinkTest {
    private static final ReaderSettings SETTINGS = ReaderSettings.of(1 << 20, Duration.ofSeconds(3));

    /** Time stands still unless it is moved; nothing is ever connected unless the test does it. */
    private static final class Home implements StreamLink.Home {
        final List<ReadCalls.Listener> opened = new ArrayList<>();
        final List<Duration> pauses = new ArrayList<>();
        final List<Runnable> tasks = new ArrayList<>();
        final List<String> told = new ArrayList<>();
        long now = 1;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void later(Duration pause, Runnable task) {
            pauses.add(pause);
            tasks.add(task);
        }

        @Override
        public void open(ReadCalls.Listener listener) {
            opened.add(listener);
        }

        @Override
        public ReadStream newStream(StreamLink link, ReadStream.Peer peer) {
            return new ReadStream(link.target(), 1000, () -> 1, peer);
        }

        @Override
        public Backoff newBackoff() {
            return new Backoff(SETTINGS.reconnectPauseFirst(), SETTINGS.reconnectPauseMax(), new Random(1));
        }

        @Override
        public void dirty(StreamLink link) {}

        @Override
        public void lost(StreamLink link, StatusCode code, String why, boolean lasting) {
            told.add(code + (lasting ? " for good" : ""));
        }

        @Override
        public boolean withheld(StreamLink link, List<Long> partitions) {
            told.add("withheld " + partitions);
            return true;
        }

        @Override
        public void given(StreamLink link) {
            told.add("given");
        }

        void breakLast(StatusCode code) {
            opened.get(opened.size() - 1).closed(Status.of(code));
        }

        void runLast() {
            tasks.get(tasks.size() - 1).run();
        }
    }

    /** A connection that only remembers. */
    private static final class SentOnly implements GrpcReadWriteStream<FromServer, FromClient> {
        final List<FromClient> messages = new ArrayList<>();
        String token = "old";
        boolean cancelled;

        @Override
        public String authToken() {
            return token;
        }

        @Override
        public void sendNext(FromClient message) {
            messages.add(message);
        }

        @Override
        public CompletableFuture<Status> start(Observer<FromServer> observer) {
            return new CompletableFuture<>();
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public void close() {
            cancelled = true;
        }
    }

    private static final WantedPartition.Ledger NO_LEDGER = new WantedPartition.Ledger() {
        @Override
        public void begin(long session, StreamLink link, ReadStream stream) {}

        @Override
        public void hold(long session, long credit) {}

        @Override
        public void end(long session) {}

        @Override
        public void release(long session, long credit) {}
    };

    private static PartitionDecoder decoder() {
        return new PartitionDecoder(
                "copy",
                SourceFeed.of(FeedImages.WRITTEN_COLUMNS),
                new SchemaPatience(new ReaderRig.Copy(), Duration.ZERO, Duration.ZERO, System::nanoTime),
                KeyFilter.NONE);
    }

    private final Home home = new Home();
    private final StreamLink link = new StreamLink(0, new StreamSpec("/local/t", "c", "d"), "/local/t", SETTINGS, home);

    @BeforeEach
    void begin() {
        link.begin();
    }

    @Test
    void opensOnce() {
        link.begin();
        assertThat(home.opened).hasSize(1);
    }

    @Test
    void opensAnewAfterAPauseThatGrowsToALimit() {
        for (int i = 0; i < 12; i++) {
            home.breakLast(StatusCode.TRANSPORT_UNAVAILABLE);
            home.runLast();
        }
        assertThat(home.opened).hasSize(13);
        assertThat(home.pauses.get(0)).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
        assertThat(home.pauses.get(3)).isBetween(Duration.ofMillis(400), Duration.ofMillis(800));
        assertThat(home.pauses.get(11)).isBetween(Duration.ofMillis(2500), Duration.ofMillis(5000));
    }

    @Test
    void neverTakesABrokenConnectionForARefusal() {
        home.breakLast(StatusCode.TRANSPORT_UNAVAILABLE);
        home.runLast();
        home.now += Duration.ofMinutes(5).toNanos();
        home.breakLast(StatusCode.TRANSPORT_UNAVAILABLE);
        assertThat(home.told).noneMatch(text -> text.contains("for good"));
    }

    @Test
    void takesARefusalForFinalWhenItHasLasted() {
        home.breakLast(StatusCode.SCHEME_ERROR);
        home.runLast();
        home.now += SETTINGS.refusalPatience().toNanos();
        home.breakLast(StatusCode.SCHEME_ERROR);
        assertThat(home.told.get(0)).doesNotContain("for good");
        assertThat(home.told.get(1)).contains("for good");
    }

    @Test
    void ignoresWhatAnOlderConnectionSays() {
        ReadCalls.Listener first = home.opened.get(0);
        link.restart("because");
        first.closed(Status.of(StatusCode.TRANSPORT_UNAVAILABLE));
        assertThat(home.told).isEmpty();
        assertThat(home.opened).hasSize(2);
    }

    @Nested
    @DisplayName("whose server accepted it")
    class Accepted {
        private final SentOnly sent = new SentOnly();

        @BeforeEach
        void accept() {
            link.add(new WantedPartition(
                    new PartitionId(0, 7),
                    new PatientLane(Runnable::run, Runnable::run),
                    decoder(),
                    event -> {},
                    NO_LEDGER,
                    new ReaderCounters()));
            link.restart("it has a partition");
            connect();
        }

        private void connect() {
            ReadCalls.Call call = new ReadCalls.Call(sent);
            call.started();
            last().connected(call);
            receive(FromServer.newBuilder().setInitResponse(InitResponse.getDefaultInstance()));
        }

        private ReadCalls.Listener last() {
            return home.opened.get(home.opened.size() - 1);
        }

        private void receive(FromServer.Builder message) {
            last().received(message.setStatus(StatusIds.StatusCode.SUCCESS).build());
        }

        private void givePartition() {
            receive(FromServer.newBuilder()
                    .setStartPartitionSessionRequest(StartPartitionSessionRequest.newBuilder()
                            .setPartitionSession(PartitionSession.newBuilder()
                                    .setPartitionSessionId(1)
                                    .setPartitionId(7))));
        }

        private void pass(Duration time) {
            home.now += time.toNanos();
            link.watch();
        }

        private long probes() {
            return sent.messages.stream()
                    .filter(FromClient::hasPartitionSessionStatusRequest)
                    .count();
        }

        @Test
        void asksASilentServerForASignOfLife() {
            givePartition();
            pass(SETTINGS.silenceMax().minusMillis(1));
            assertThat(probes()).isZero();
            pass(Duration.ofMillis(1));
            pass(Duration.ofMillis(1));
            assertThat(probes()).isEqualTo(1);
        }

        @Test
        void opensAnewWhenNoSignComes() {
            givePartition();
            pass(SETTINGS.silenceMax());
            pass(SETTINGS.answerTimeout());
            assertThat(home.told).hasSize(1).allMatch(text -> text.contains("CLIENT_DEADLINE_EXCEEDED"));
            assertThat(sent.cancelled).isTrue();
        }

        @Test
        void isContentWithTheSign() {
            givePartition();
            pass(SETTINGS.silenceMax());
            receive(FromServer.newBuilder()
                    .setPartitionSessionStatusResponse(PartitionSessionStatusResponse.getDefaultInstance()));
            pass(SETTINGS.answerTimeout().minusMillis(1));
            assertThat(home.told).isEmpty();
        }

        @Test
        void saysWhenThePartitionIsWithheld() {
            pass(SETTINGS.silenceMax());
            assertThat(home.told).containsExactly("withheld [7]");
        }

        @Test
        void saysItOnceHoweverLongItLasts() {
            pass(SETTINGS.silenceMax());
            pass(SETTINGS.silenceMax().multipliedBy(5));
            assertThat(home.told).containsExactly("withheld [7]");
        }

        @Test
        void saysOnceThatItIsOver() {
            givePartition();
            pass(SETTINGS.silenceMax());
            assertThat(home.told).isEmpty();
            link.restart("so that it is withheld");
            connect();
            pass(SETTINGS.silenceMax());
            givePartition();
            pass(SETTINGS.silenceMax());
            assertThat(home.told).containsExactly("withheld [7]", "given");
        }

        @Test
        void saysItAgainOfANewStream() {
            pass(SETTINGS.silenceMax());
            home.breakLast(StatusCode.TRANSPORT_UNAVAILABLE);
            home.runLast();
            connect();
            pass(SETTINGS.silenceMax());
            assertThat(home.told)
                    .containsExactly("withheld [7]", StatusCode.TRANSPORT_UNAVAILABLE.toString(), "withheld [7]");
        }

        @Test
        void tellsTheServerOfANewTicketOnce() {
            link.checkToken();
            sent.token = "new";
            link.checkToken();
            link.checkToken();
            assertThat(sent.messages.stream().filter(FromClient::hasUpdateTokenRequest))
                    .singleElement()
                    .satisfies(message -> assertThat(
                                    message.getUpdateTokenRequest().getToken())
                            .isEqualTo("new"));
        }

        @Test
        void sendsNothingOnceItIsClosed() {
            link.close("done");
            int before = sent.messages.size();
            link.flush();
            link.watch();
            assertThat(sent.messages).hasSize(before);
        }
    }

    @Test
    void staysClosed() {
        home.breakLast(StatusCode.TRANSPORT_UNAVAILABLE);
        link.close("done");
        home.runLast();
        assertThat(home.opened).hasSize(1);
    }
}
