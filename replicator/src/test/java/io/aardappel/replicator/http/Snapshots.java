package io.aardappel.replicator.http;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.History;
import io.aardappel.replicator.engine.EngineStatus.Lock;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.EngineStatus.PartitionStatus;
import io.aardappel.replicator.engine.EngineStatus.StreamStatus;
import io.aardappel.replicator.engine.EngineStatus.Totals;
import io.aardappel.replicator.engine.Ticker;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Engine snapshots for tests, all at {@link #NOW}. */
final class Snapshots {
    static final long NOW = 1_800_000_000_000L;
    static final StreamLabels LABELS = new StreamLabels(List.of("goods", "orders \"new\""));
    static final Ticker TICKER = new Ticker() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return NOW;
        }
    };

    /** Replicating; partition 1 of the second stream has been silent for 7 s and holds the rest back. */
    static EngineStatus active() {
        return status(Mode.ACTIVE, Stage.RUN);
    }

    static EngineStatus status(Mode mode, Stage stage) {
        return new EngineStatus(
                NOW - 5,
                mode,
                Optional.of(stage),
                Optional.of(new Position(NOW - 2_500, -1)),
                stage == Stage.RUN ? ScanPhase.NONE : ScanPhase.APPLYING,
                Position.ZERO,
                new Lock(true, "lock_host_1", NOW - 60_000, NOW + 6_000),
                true,
                1_000,
                10,
                1 << 28,
                Optional.of(new Position(NOW - 2_500, 0)),
                Optional.of(new Blocking(
                        Blocking.Reason.BARRIER_STALE, "orders/feed", 1, NOW - 7_000, "no heartbeat for 7 s")),
                NOW - 2_000,
                List.of(
                        new StreamStatus(
                                "goods/feed",
                                "c",
                                "/db/goods",
                                StreamState.MEMBER,
                                5,
                                List.of(partition(0, 500)),
                                Optional.of(new History(86_400_000, NOW + 7_200_500, 0))),
                        new StreamStatus(
                                "orders/feed",
                                "c",
                                "/db/orders",
                                StreamState.MEMBER,
                                6,
                                List.of(partition(0, 400), partition(1, 7_000)),
                                Optional.empty())),
                new Totals(100, 11, 9, 1_234, 4, Map.of("ABORTED", 2L), 3, 1, 0, 0, 0, 0, 0, 0, 1),
                Optional.empty(),
                Optional.empty());
    }

    /** Without the lock, after it replicated; the last checkpoint was known until 9 s ago. */
    static EngineStatus standby(Blocking blocking) {
        return new EngineStatus(
                NOW - 5,
                Mode.STANDBY,
                Optional.empty(),
                Optional.empty(),
                ScanPhase.NONE,
                Position.ZERO,
                new Lock(false, "", NOW - 9_000, 0),
                false,
                0,
                0,
                1 << 28,
                Optional.empty(),
                Optional.of(blocking),
                NOW - 9_000,
                List.of(),
                Totals.NONE,
                Optional.empty(),
                Optional.of(new EngineStatus.LastKnown(new Position(NOW - 10_000, -1), NOW - 9_000)));
    }

    static PartitionStatus partition(long id, long age) {
        return new PartitionStatus(
                id, true, true, false, false, Optional.of(new Position(NOW - age, 0)), NOW - age, 10, 1, 20, 15, 25);
    }

    static Batch batch(int rows, long bytes, int changes) {
        return new Batch(
                1,
                List.of(),
                Optional.empty(),
                Stage.RUN,
                Position.ZERO,
                ScanPhase.NONE,
                List.of(),
                List.of(),
                rows,
                bytes,
                changes);
    }

    static StatusSource source(EngineStatus status) {
        return new StatusSource() {
            @Override
            public List<String> waitsFor() {
                return List.of();
            }

            @Override
            public Optional<EngineStatus> status() {
                return Optional.of(status);
            }

            @Override
            public long sinceTurnMillis() {
                return 3;
            }
        };
    }

    private Snapshots() {}
}
