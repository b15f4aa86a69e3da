package io.aardappel.replicator.ydb.topics;

import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.TableShape;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * How long a column is waited for that records carry and their destination table lacks: people add columns at both sides,
 * and seldom at the destination first. The time counts from when the first record of any partition missed the column, over
 * sessions and lock terms, and is over only once the destination has said after its end that the column is still not
 * there. From then on nobody waits for that column until it has been seen. Thread-safe.
 */
final class SchemaPatience {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaPatience.class);

    private record Missed(String table, String column) {}

    private final DestinationShapes shapes;
    private final Duration wait;
    private final long pauseNanos;
    private final LongSupplier nanos;
    private final Map<Missed, Long> missedAt = new ConcurrentHashMap<>();
    /** By table, when a look began that the destination answered. */
    private final Map<String, Long> answeredAt = new ConcurrentHashMap<>();

    private final Set<String> beingLookedAt = ConcurrentHashMap.newKeySet();

    /**
     * @param wait how long a column is waited for; zero waits for none
     * @param pause between two looks at one table while it is waited for
     * @param nanos a clock that never goes back
     */
    SchemaPatience(DestinationShapes shapes, Duration wait, Duration pause, LongSupplier nanos) {
        this.shapes = shapes;
        this.wait = wait;
        this.pauseNanos = pause.toNanos();
        this.nanos = nanos;
    }

    TableShape current(String table) {
        return shapes.current(table);
    }

    /** Reads the table's description again and says what the table is now. Blocks. */
    TableShape look(String table) {
        long began = nanos.getAsLong();
        if (shapes.refresh(table)) {
            answeredAt.merge(table, began, (before, now) -> before - now > 0 ? before : now);
        }
        TableShape now = shapes.current(table);
        missedAt.keySet().removeIf(missed -> missed.table().equals(table) && appeared(missed, now));
        return now;
    }

    /** That it is over is told at the level at which it was told to be waited for. */
    private boolean appeared(Missed missed, TableShape now) {
        boolean there = now.ordinal(missed.column()) >= 0;
        if (there) {
            LOG.atLevel(wait.isZero() ? Level.INFO : Level.WARN)
                    .log("table {} has got column {}, which records carry", now.path(), missed.column());
        }
        return there;
    }

    /** The same, unless another partition does so now or has just done it. */
    TableShape lookWithOthers(String table) {
        if (beingLookedAt.add(table)) {
            try {
                Long last = answeredAt.get(table);
                if (last == null || nanos.getAsLong() - last >= pauseNanos) {
                    return look(table);
                }
            } finally {
                beingLookedAt.remove(table);
            }
        }
        return shapes.current(table);
    }

    /**
     * Reads the table's description before a record counts as one that does not fit.
     *
     * @param missing the column that the record needs and the table lacks; while it is waited for one partition looks for all
     */
    TableShape lookBeforeUnfit(String table, Optional<String> missing) {
        boolean waiting = missing.map(column -> missedAt.get(new Missed(table, column)))
                .filter(since -> !isOver(table, since))
                .isPresent();
        return waiting ? lookWithOthers(table) : look(table);
    }

    /** Whether the column is to be waited for, after a look; the time begins with the first call about it. */
    boolean waitsFor(String table, String column) {
        long now = nanos.getAsLong();
        Long before = missedAt.putIfAbsent(new Missed(table, column), now);
        boolean waits = !isOver(table, before == null ? now : before);
        if (waits && before == null) {
            String path = shapes.current(table).path();
            LOG.atWarn()
                    .setMessage("records carry a column that the destination table lacks; it is waited for")
                    .addKeyValue("table", path)
                    .addKeyValue("column", column)
                    .addKeyValue("seconds", wait.toSeconds())
                    .addKeyValue(
                            "remedy",
                            "Add it there with the type and the DEFAULT, if any, that it has at the source; without"
                                    + " the default, rows that are not written again would differ.")
                    .log();
        }
        return waits;
    }

    private boolean isOver(String table, long since) {
        Long answered = answeredAt.get(table);
        return wait.isZero() || (answered != null && answered - since >= wait.toNanos());
    }
}
