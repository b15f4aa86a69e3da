package io.aardappel.replicator.ydb.topics;

import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.core.StreamSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.Batch;

/**
 * Keeps one read stream up for some partitions of one topic: opens it, watches over it, opens it again after every loss.
 * All of it on the loop's thread.
 */
final class StreamLink {
    /** What a link needs of those around it. */
    interface Home {
        long nanos();

        void later(Duration pause, Runnable task);

        void open(ReadCalls.Listener listener);

        ReadStream newStream(StreamLink link, ReadStream.Peer peer);

        Backoff newBackoff();

        /** A stream has credit or commits to send. */
        void dirty(StreamLink link);

        /** The stream broke and will be opened again; lasting when its server has refused it for long. */
        void lost(StreamLink link, StatusCode code, String why, boolean lasting);

        /**
         * The stream is well, but these partitions are not given to it; told once, and again when they are others.
         *
         * @return whether that is worth a word, so that its end is, too
         */
        boolean withheld(StreamLink link, List<Long> partitions);

        /** All partitions are given to it again, after that was worth a word. */
        void given(StreamLink link);
    }

    private static final String READER = "aardappel-replicator";

    final int stream;
    final StreamSpec spec;
    private final String topic;
    private final ReaderSettings settings;
    private final Home home;
    private final Backoff backoff;
    private final Map<Long, WantedPartition> members = new LinkedHashMap<>();
    private @Nullable ReadStream machine;
    private ReadCalls.@Nullable Call call;
    private @Nullable String token;
    private int generation;
    private boolean begun;
    private boolean over;
    private boolean parked;
    private long heardAt;
    private long probedAt;
    private boolean probed;
    private long refusedAt;
    private boolean refused;
    private List<Long> toldWithheld = List.of();
    /** Told, and not yet that it is over; unlike what was told of this stream it outlives a new one. */
    private boolean withheldGoesOn;

    StreamLink(int stream, StreamSpec spec, String topic, ReaderSettings settings, Home home) {
        this.stream = stream;
        this.spec = spec;
        this.topic = topic;
        this.settings = settings;
        this.home = home;
        this.backoff = home.newBackoff();
    }

    void add(WantedPartition partition) {
        members.put(partition.id.partition(), partition);
        partition.link = this;
    }

    void remove(WantedPartition partition) {
        members.remove(partition.id.partition());
    }

    Collection<WantedPartition> members() {
        return members.values();
    }

    boolean isSolo() {
        return members.size() == 1;
    }

    @Nullable
    ReadStream machine() {
        return machine;
    }

    ReadStream.Target target() {
        return new ReadStream.Target(topic, spec.consumer(), READER, List.copyOf(members.keySet()));
    }

    /** Opens the stream, anew at once if it was open, because what it should read has changed. */
    void reopen(String why) {
        if (begun) {
            restart(why);
        } else {
            begin();
        }
    }

    /** Opens the stream unless that was done already. */
    void begin() {
        if (!begun) {
            connect();
        }
    }

    private void connect() {
        if (over) {
            return;
        }
        begun = true;
        int mine = ++generation;
        heardAt = home.nanos();
        probed = false;
        toldWithheld = List.of();
        home.open(new ReadCalls.Listener() {
            @Override
            public void connected(ReadCalls.Call opened) {
                if (mine == generation) {
                    begin(opened);
                } else {
                    opened.cancel();
                }
            }

            @Override
            public void received(FromServer message) {
                if (mine == generation) {
                    hear(message);
                }
            }

            @Override
            public void closed(Status status) {
                if (mine == generation) {
                    lost(status.getCode(), status.isSuccess() ? "the server ended the stream" : StatusText.of(status));
                }
            }
        });
    }

    private void begin(ReadCalls.Call opened) {
        call = opened;
        token = opened.token();
        heardAt = home.nanos();
        Ears ears = new Ears(opened);
        ReadStream reading = home.newStream(this, ears);
        ears.stream = reading;
        machine = reading;
        if (parked) {
            reading.park();
        }
        reading.open();
    }

    private void hear(FromServer message) {
        heardAt = home.nanos();
        probed = false;
        ReadStream current = machine;
        if (current != null) {
            current.received(message);
            home.dirty(this);
        }
    }

    /** Grants no more credit. */
    void park() {
        parked = true;
        if (machine != null) {
            machine.park();
        }
    }

    void resume() {
        parked = false;
        if (machine != null) {
            machine.resume();
            home.dirty(this);
        }
    }

    void flush() {
        if (machine != null) {
            machine.flush();
        }
    }

    /** Opens the stream anew at once, because what it should read has changed. */
    void restart(String why) {
        if (begun) {
            drop(why);
            connect();
        }
    }

    /** The same for all but one partition, which is no member any more. */
    void restartWithout(WantedPartition partition, String why) {
        boolean was = begun;
        drop(why); // the partition is still a member, so that it is told that its session ended
        remove(partition);
        if (was) {
            connect();
        }
    }

    void close(String why) {
        over = true;
        drop(why);
    }

    private void drop(String why) {
        generation++;
        ReadCalls.Call dropped = call;
        call = null;
        if (dropped != null) {
            dropped.cancel();
        }
        ReadStream ended = machine;
        machine = null;
        if (ended != null) {
            ended.close(why);
        }
    }

    private void lost(StatusCode code, String why) {
        drop(why);
        boolean lasting = Refusal.isLasting(code) && hasLasted();
        home.lost(this, code, why, lasting);
        int mine = generation;
        home.later(backoff.next(), () -> {
            if (mine == generation) {
                connect();
            }
        });
    }

    private boolean hasLasted() {
        if (!refused) {
            refused = true;
            refusedAt = home.nanos();
        }
        return home.nanos() - refusedAt >= settings.refusalPatience().toNanos();
    }

    /** Looks after the stream; called now and then. */
    void watch() {
        ReadStream current = machine;
        if (!begun || over || current == null) {
            return;
        }
        long silent = home.nanos() - heardAt;
        if (!current.isOpen()) {
            if (silent >= settings.openTimeout().toNanos()) {
                lost(StatusCode.CLIENT_DEADLINE_EXCEEDED, "the server did not accept the stream in time");
            }
        } else if (probed) {
            if (home.nanos() - probedAt >= settings.answerTimeout().toNanos()) {
                lost(StatusCode.CLIENT_DEADLINE_EXCEEDED, "the server gave no sign of life");
            }
        } else if (silent >= settings.silenceMax().toNanos()) {
            probed = current.probe();
            probedAt = home.nanos();
            tellWithheld(current);
        }
    }

    /** A stream may be well and yet not be given its partitions: then another reader of the consumer has them. */
    private void tellWithheld(ReadStream current) {
        List<Long> withheld =
                members.keySet().stream().filter(id -> !current.hasSession(id)).toList();
        if (!withheld.isEmpty() && !withheld.equals(toldWithheld)) {
            withheldGoesOn |= home.withheld(this, withheld);
        }
        toldWithheld = withheld;
        tellGiven(current);
    }

    private void tellGiven(ReadStream current) {
        if (withheldGoesOn && members.keySet().stream().allMatch(current::hasSession)) {
            withheldGoesOn = false;
            toldWithheld = List.of();
            home.given(this);
        }
    }

    /** Tells the server when calls carry another ticket than this stream did. */
    void checkToken() {
        ReadCalls.Call current = call;
        ReadStream reading = machine;
        if (current == null || reading == null || !reading.isOpen()) {
            return;
        }
        String now = current.token();
        if (now != null && !Objects.equals(now, token)) {
            token = now;
            reading.token(now);
        }
    }

    private @Nullable WantedPartition member(long partition) {
        return members.get(partition);
    }

    @Override
    public String toString() {
        return topic + " partitions " + members.keySet();
    }

    /** Hears of one stream and passes it on to the partitions. */
    private final class Ears implements ReadStream.Peer {
        private final ReadCalls.Call opened;
        private @Nullable ReadStream stream;

        Ears(ReadCalls.Call opened) {
            this.opened = opened;
        }

        @Override
        public void send(FromClient message) {
            opened.send(message);
        }

        @Override
        public void opened() {
            home.dirty(StreamLink.this);
        }

        @Override
        public void started(long partition, long session, long committedOffset, OffsetsRange offsets) {
            WantedPartition wanted = member(partition);
            ReadStream reading = stream;
            if (wanted != null && reading != null) {
                wanted.started(StreamLink.this, reading, session, committedOffset, offsets);
                tellGiven(reading);
            }
        }

        @Override
        public void data(
                long partition, long session, List<Batch> batches, long fromOffset, long nextOffset, long credit) {
            backoff.reset();
            refused = false;
            WantedPartition wanted = member(partition);
            ReadStream reading = stream;
            if (wanted != null) {
                wanted.data(session, batches, fromOffset, nextOffset, credit);
            } else if (reading != null) {
                reading.giveBack(credit);
            }
        }

        @Override
        public void acknowledged(long partition, long session, long committedOffset) {
            WantedPartition wanted = member(partition);
            if (wanted != null) {
                wanted.acknowledged(session, committedOffset);
            }
        }

        @Override
        public void split(long partition, long session, List<Long> children) {
            WantedPartition wanted = member(partition);
            if (wanted != null) {
                wanted.split(session, children);
            }
        }

        @Override
        public void ended(long partition, long session, String why) {
            WantedPartition wanted = member(partition);
            if (wanted != null) {
                wanted.ended(session, why);
            }
        }

        @Override
        public void failed(StatusCode code, String why) {
            lost(code, why);
        }
    }
}
