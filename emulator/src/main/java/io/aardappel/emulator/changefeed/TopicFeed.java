package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.FeedSource;
import io.aardappel.emulator.model.table.RowChange;
import io.aardappel.emulator.model.table.Shard;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.topic.FeedTopic;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A changefeed that writes a topic: an outbox for each shard, the initial scan, barriers. The database's lock guards it. */
final class TopicFeed implements Changefeed {
    private final ChangefeedSpec spec;
    private final FeedSource source;
    private final FeedKnobs knobs;
    private final RecordFormat format;
    private final Delivery delivery;
    private final long barrierMillis;
    private final @Nullable InitialScan scan;
    private final MessageDigest md5;
    /** In the order in which shards came; those of shards that are gone stay until they are empty. */
    private final Map<Long, Outbox> outboxes = new LinkedHashMap<>();

    private RowShape shape;
    private State state;
    private long lastBarrier;

    TopicFeed(
            ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created, FeedKnobs knobs, Hazards hazards) {
        this.spec = spec;
        this.source = source;
        this.knobs = knobs;
        this.format = RecordFormat.of(spec);
        this.barrierMillis = barrierMillis(spec);
        String path = source.path() + "/" + spec.name();
        this.delivery = new Delivery(path, topic, knobs, hazards, barrierMillis > 0);
        this.scan = spec.initialScan() ? new InitialScan(source, created) : null;
        this.state = scan == null ? State.ENABLED : State.INITIAL_SCAN;
        this.shape = new RowShape(source.schema());
        this.md5 = newMd5();
        source.shards()
                .forEach(shard -> outboxes.put(shard.tabletId(), new Outbox(shard.tabletId(), knobs, List.of())));
    }

    @Override
    public Description describe() {
        return new Description(
                spec, state, scan == null ? 0 : scan.partsTotal(), scan == null ? 0 : scan.partsCompleted());
    }

    @Override
    public boolean isFull() {
        int waiting = delivery.waiting();
        for (Outbox outbox : outboxes.values()) {
            waiting += outbox.size();
        }
        return waiting >= knobs.queueMax();
    }

    @Override
    public void committed(Commit commit, List<RowChange> changes) {
        if (state == State.DISABLED) {
            return;
        }
        delivery.begin(commit.wallMillis());
        for (RowChange change : changes) {
            if (scan != null && state == State.INITIAL_SCAN && scan.overtakes(change)) {
                scanned(change.shard(), change.key(), change.before(), scan.snapshot(), commit.wallMillis());
            }
            send(change.shard(), event(commit, change), commit.wallMillis());
        }
        delivery.flush();
    }

    @Override
    public void schemaChanged(TableSchema schema, Commit commit) {
        shape = new RowShape(schema);
        if (state == State.DISABLED || !spec.schemaChanges()) {
            return;
        }
        delivery.begin(commit.wallMillis());
        byte[] data = JsonFormat.schemaChange(schema, commit.timestamp(), spec.virtualTimestamps());
        Outbox first = outbox(source.shards().get(0));
        deliver(first, new Outgoing.Announcement(commit.wallMillis(), data), commit.wallMillis());
        delivery.flush();
    }

    @Override
    public void resharded(List<Shard> removed, List<Shard> added) {
        List<Outbox> parents = removed.stream().map(this::outbox).toList();
        added.forEach(shard -> outboxes.put(shard.tabletId(), new Outbox(shard.tabletId(), knobs, parents)));
    }

    @Override
    public void disable() {
        state = State.DISABLED;
    }

    @Override
    public int tick(long nowMillis) {
        if (state == State.DISABLED) {
            return 0;
        }
        delivery.begin(nowMillis);
        // a scan has no writer to refuse: it stands still until there is room
        int done = state == State.INITIAL_SCAN && !isFull() ? advanceScan(nowMillis) : 0;
        if (state == State.ENABLED && barrierMillis > 0) {
            heartbeats(nowMillis);
        }
        for (Outbox outbox : outboxes.values()) {
            done += outbox.drain(nowMillis, outgoing -> arrived(outbox, outgoing, nowMillis));
        }
        retireOutboxes();
        done += barrier(nowMillis) + delivery.release(nowMillis);
        delivery.flush();
        return done;
    }

    private int advanceScan(long nowMillis) {
        if (scan == null) {
            throw new IllegalStateException("feed " + spec.name() + " scans without a scan");
        }
        int done = scan.advance(
                knobs.scanRowsPerTick(),
                (shard, row) -> scanned(shard, row.key(), row.row(), scan.snapshot(), nowMillis));
        if (scan.complete()) {
            state = State.ENABLED;
        }
        return done;
    }

    /** Each shard says that it has sent all below the latest multiple of the interval. */
    private void heartbeats(long nowMillis) {
        long step = source.promisedStep() / barrierMillis * barrierMillis;
        for (Shard shard : source.shards()) {
            Outbox outbox = outbox(shard);
            if (outbox.announce(step)) {
                deliver(outbox, new Outgoing.Heartbeat(step), nowMillis);
            }
        }
    }

    /** Writes a barrier when all shards, gone ones with a rest to send too, are past a new one. */
    private int barrier(long nowMillis) {
        if (state != State.ENABLED || barrierMillis == 0) {
            return 0;
        }
        long step =
                outboxes.values().stream().mapToLong(Outbox::arrivedStep).min().orElse(0);
        if (step <= lastBarrier) {
            return 0;
        }
        lastBarrier = step;
        delivery.barrier(step, nowMillis);
        return 1;
    }

    private void retireOutboxes() {
        List<Shard> shards = source.shards();
        if (outboxes.size() > shards.size()) {
            outboxes.entrySet()
                    .removeIf(entry -> entry.getValue().isFinished()
                            && shards.stream().noneMatch(shard -> shard.tabletId() == entry.getKey()));
        }
    }

    private FeedEvent event(Commit commit, RowChange change) {
        FeedEvent.Kind kind = switch (change.kind()) {
            case INSERT, UPSERT, UPDATE -> FeedEvent.Kind.UPSERT;
            case REPLACE -> FeedEvent.Kind.RESET;
            case DELETE -> FeedEvent.Kind.ERASE;
        };
        return new FeedEvent(
                kind,
                shape,
                change.key(),
                change.written(),
                change.before(),
                change.after(),
                commit.timestamp(),
                commit.wallMillis(),
                commit.user());
    }

    private void scanned(
            Shard shard,
            List<@Nullable Object> key,
            @Nullable Object @Nullable [] row,
            Commit snapshot,
            long nowMillis) {
        FeedEvent event = new FeedEvent(
                FeedEvent.Kind.SCAN,
                shape,
                key,
                shape.valueOrdinals(),
                null,
                row,
                snapshot.timestamp(),
                nowMillis,
                null);
        send(shard, event, nowMillis);
    }

    private void send(Shard shard, FeedEvent event, long nowMillis) {
        JsonBytes key = new JsonBytes();
        event.shape().keyArray(key, event.key());
        BigInteger hash = new BigInteger(1, md5.digest(key.toBytes()));
        Outgoing change = new Outgoing.Change(
                hash, event.timestamp(), event.createdAtMillis(), format.metadata(event), format.data(event));
        deliver(outbox(shard), change, nowMillis);
    }

    private void deliver(Outbox outbox, Outgoing outgoing, long nowMillis) {
        outbox.send(outgoing, nowMillis, sent -> arrived(outbox, sent, nowMillis));
    }

    private void arrived(Outbox outbox, Outgoing outgoing, long nowMillis) {
        if (outgoing instanceof Outgoing.Change change) {
            delivery.change(outbox, change, nowMillis);
        } else if (outgoing instanceof Outgoing.Heartbeat heartbeat) {
            outbox.arrived(heartbeat.step());
        } else if (outgoing instanceof Outgoing.Announcement announcement) {
            delivery.announcement(outbox, announcement, nowMillis);
        } else {
            throw new IllegalStateException("unknown record " + outgoing);
        }
    }

    private Outbox outbox(Shard shard) {
        Outbox outbox = outboxes.get(shard.tabletId());
        if (outbox == null) {
            throw new IllegalStateException("feed " + spec.name() + " does not know shard " + shard);
        }
        return outbox;
    }

    private static long barrierMillis(ChangefeedSpec spec) {
        Duration interval = spec.barriersInterval();
        return interval == null ? 0 : interval.toSeconds() * 1_000;
    }

    private static MessageDigest newMd5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has MD5", missing);
        }
    }
}
