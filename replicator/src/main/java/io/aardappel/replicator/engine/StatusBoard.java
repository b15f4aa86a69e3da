package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Counters;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionView;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Replication;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.History;
import io.aardappel.replicator.engine.EngineStatus.LastKnown;
import io.aardappel.replicator.engine.EngineStatus.PartitionStatus;
import io.aardappel.replicator.engine.EngineStatus.StreamStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says how things are, remembers since when, and complains when what blocks lasts. Belongs to the engine's thread; times are
 * wall-clock milliseconds.
 */
final class StatusBoard {
    private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);

    private record Seen(@Nullable Position barrier, long since) {}

    private final EngineSettings settings;
    private final long interval;
    private final Map<PartitionId, Seen> barriers = new HashMap<>();
    private final HistoryAlarm alarm = new HistoryAlarm();
    private @Nullable Blocking blocking;
    private @Nullable LastKnown lastKnown;
    private long complainedAt;
    private boolean complained;

    StatusBoard(EngineSettings settings) {
        this.settings = settings;
        this.interval = settings.heartbeatInterval().toMillis();
    }

    /** A term ended: what was seen in it says nothing any more. */
    void forget() {
        barriers.clear();
    }

    /**
     * What the engine alone knows.
     *
     * @param now by this process's clock
     * @param problem why it ends, null while it does not
     */
    record Moment(
            long now,
            EngineStatus.Mode mode,
            EngineStatus.Lock lock,
            long lastProgressAt,
            @Nullable Problem problem) {}

    /** @param term null while there is none */
    EngineStatus status(Moment moment, @Nullable Term term, Tally tally, Hindrances hindrances) {
        Replication replication = term == null ? null : term.replication().orElse(null);
        List<StreamStatus> streams = streams(term, replication, tally, moment.now());
        alarm.look(streams, moment.now());
        Optional<Blocking> found = hindrances.find(moment.lock(), term, streams, moment.now());
        if (term != null) {
            Position checkpoint = replication == null ? term.saved().checkpoint() : replication.checkpoint();
            lastKnown = new LastKnown(checkpoint, moment.now());
        }
        return new EngineStatus(
                moment.now(),
                moment.mode(),
                term == null
                        ? Optional.empty()
                        : Optional.of(replication == null ? term.saved().stage() : replication.stage()),
                term == null
                        ? Optional.empty()
                        : Optional.of(replication == null ? term.saved().checkpoint() : replication.checkpoint()),
                replication == null ? ScanPhase.NONE : replication.phase(),
                replication == null ? Position.ZERO : replication.scanMaximum(),
                moment.lock(),
                replication != null && replication.aligned(),
                replication == null ? 0 : replication.bufferedBytes(),
                replication == null ? 0 : replication.bufferedChanges(),
                settings.memoryBytes(),
                replication == null ? Optional.empty() : replication.quorum(),
                remember(found, moment.lastProgressAt(), moment.now()),
                moment.lastProgressAt(),
                streams,
                tally.totals(term == null ? Counters.NONE : term.counters()),
                Optional.ofNullable(moment.problem()),
                term == null ? Optional.ofNullable(lastKnown) : Optional.empty());
    }

    private List<StreamStatus> streams(@Nullable Term term, @Nullable Replication replication, Tally tally, long now) {
        List<List<PartitionView>> views = new ArrayList<>();
        settings.streams().forEach(stream -> views.add(new ArrayList<>()));
        if (replication != null) {
            for (PartitionView view : replication.partitions()) {
                views.get(view.partition().stream()).add(view);
            }
        }
        List<StreamRow> rows = replication == null ? List.of() : replication.rows();
        List<StreamStatus> streams = new ArrayList<>();
        for (int i = 0; i < views.size(); i++) {
            var spec = settings.streams().get(i);
            StreamState state =
                    rows.isEmpty() ? StreamState.MEMBER : rows.get(i).state();
            streams.add(new StreamStatus(
                    spec.topic(),
                    spec.consumer(),
                    spec.table(),
                    state,
                    tally.changes(i),
                    views.get(i).stream()
                            .map(view -> status(view, seen(view, now)))
                            .toList(),
                    term == null ? Optional.empty() : history(term.historyLeft(i, views.get(i)), now)));
        }
        return List.copyOf(streams);
    }

    private static Optional<History> history(Optional<HistoryWatch.Left> left, long now) {
        return left.map(known -> new History(known.period(), now + known.left(), known.partition()));
    }

    private Seen seen(PartitionView view, long now) {
        Position barrier = view.barrier().orElse(null);
        Seen before = barriers.get(view.partition());
        if (before != null && (barrier == null ? before.barrier() == null : barrier.equals(before.barrier()))) {
            return before;
        }
        Seen seen = new Seen(barrier, now);
        barriers.put(view.partition(), seen);
        return seen;
    }

    private static PartitionStatus status(PartitionView view, Seen seen) {
        return new PartitionStatus(
                view.partition().partition(),
                view.live(),
                view.session(),
                view.parked(),
                view.closedByUs(),
                view.barrier(),
                seen.since(),
                view.bytes(),
                view.changes(),
                view.next(),
                view.acknowledged(),
                Math.max(view.end(), view.next()));
    }

    /** Keeps the time since when the same thing blocks, and complains in the log when it lasts. */
    private Optional<Blocking> remember(Optional<Blocking> found, long lastProgressAt, long now) {
        Blocking before = blocking;
        blocking = found.map(current -> same(current, before)).orElse(null);
        Blocking current = blocking;
        boolean expected = current != null && current.reason() == Blocking.Reason.LOCK; // a standby is there to wait
        if (current != null
                && !expected
                && now - Math.max(lastProgressAt, current.since()) > EngineSettings.PATIENCE_INTERVALS * interval) {
            complain(current, now);
        } else if (complained && lastProgressAt > complainedAt) {
            complained = false;
            LOG.warn("progress is made again"); // at the level of what it ends
        }
        return Optional.ofNullable(current);
    }

    private static Blocking same(Blocking current, @Nullable Blocking before) {
        boolean goesOn = before != null
                && before.reason() == current.reason()
                && before.stream().equals(current.stream())
                && before.partition() == current.partition();
        long since = goesOn && before != null ? Math.min(before.since(), current.since()) : current.since();
        return new Blocking(current.reason(), current.stream(), current.partition(), since, current.text());
    }

    private void complain(Blocking current, long now) {
        if (complainedAt >= current.since() && now - complainedAt < 60_000) {
            return;
        }
        complainedAt = now;
        complained = true;
        LOG.atWarn()
                .setMessage("no progress")
                .addKeyValue("reason", current.reason().word())
                .addKeyValue("stream", current.stream())
                .addKeyValue("partition", current.partition())
                .addKeyValue("seconds", (now - current.since()) / 1000)
                .addKeyValue("text", current.text())
                .log();
    }
}
