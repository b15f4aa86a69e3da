package io.aardappel.replicator.app;

import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.KeySample;
import io.aardappel.replicator.ydb.target.KeySample.Edge;
import io.aardappel.replicator.ydb.target.KeySample.RowKey;
import io.aardappel.replicator.ydb.target.RowLookup;
import io.aardappel.replicator.ydb.target.TargetSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * Looks, once an initial scan is over, whether it brought what the source has. No description says whether a feed was made to
 * scan; one that was not leaves out what was there before it, and nothing else would tell. The first and the last row of each
 * source table are looked for at the destination when a checkpoint has passed them. What cannot be read says nothing. Waits;
 * one thread only.
 */
final class ScanReview {
    /** Tables beyond are not looked at: those who forget the scan forget it for the first ones too. */
    private static final int TABLES_MOST = 100;

    /**
     * What one stream joins.
     *
     * @param from absolute path of the source table
     * @param to absolute path of the destination table
     */
    record Pair(String from, String to) {}

    private record Sample(Pair pair, TableShape from, RowKey key) {}

    private final Logger log;
    private final GrpcTransport source;
    private final GrpcTransport destination;
    private final TargetSettings settings;
    private final List<Pair> pairs;
    private final long allowanceMillis;
    private boolean scanned;
    private @Nullable List<Sample> samples;
    private long passedAt;

    /** @param allowance how far the clocks of the source's servers may differ */
    ScanReview(
            Logger log,
            GrpcTransport source,
            GrpcTransport destination,
            TargetSettings settings,
            List<Pair> pairs,
            Duration allowance) {
        this.log = log;
        this.source = source;
        this.destination = destination;
        this.settings = settings;
        this.pairs = pairs.stream().limit(TABLES_MOST).toList();
        this.allowanceMillis = allowance.toMillis();
    }

    /** To be called now and then; does nothing unless a scan of this process has just ended. */
    void observe(EngineStatus status) {
        boolean active = status.mode() == Mode.ACTIVE && status.stage().isPresent();
        if (!active || status.stage().get() == Stage.INITIAL_SCAN) {
            scanned = active; // after a term was lost, whoever scans on reviews it
            samples = null;
        } else if (scanned && samples == null) {
            samples = take();
        } else if (scanned && samples != null && passed(status)) {
            if (status.totals().skippedByDecision() == 0) { // else rows may well be left out
                compare(samples);
            }
            scanned = false;
        }
    }

    private boolean passed(EngineStatus status) {
        return status.checkpoint()
                .filter(checkpoint -> checkpoint.step() > passedAt)
                .isPresent();
    }

    private List<Sample> take() {
        List<Sample> taken = new ArrayList<>();
        try (RowLookup tables = new RowLookup(source, settings);
                KeySample keys = new KeySample(source, settings)) {
            for (Pair pair : pairs) {
                if (tables.shape(pair.from()) instanceof Answer.Read<TableShape> shape) {
                    for (Edge edge : Edge.values()) {
                        read(keys.edge(shape.value(), edge))
                                .flatMap(key -> key)
                                .ifPresent(key -> taken.add(new Sample(pair, shape.value(), key)));
                    }
                }
            }
            Optional<Long> now = read(keys.time());
            passedAt = now.orElse(0L) + allowanceMillis;
            return now.isPresent() ? taken : List.of();
        }
    }

    private void compare(List<Sample> taken) {
        List<Pair> told = new ArrayList<>();
        try (RowLookup tables = new RowLookup(destination, settings);
                KeySample there = new KeySample(destination, settings);
                KeySample still = new KeySample(source, settings)) {
            for (Sample sample : taken) {
                if (!told.contains(sample.pair()) && isMissing(sample, tables, there, still)) {
                    told.add(sample.pair());
                    tell(sample.pair());
                }
            }
        }
    }

    /** It may have been deleted meanwhile, of which the source has the last word. */
    private static boolean isMissing(Sample sample, RowLookup tables, KeySample there, KeySample still) {
        return tables.shape(sample.pair().to()) instanceof Answer.Read<TableShape> shape
                && read(there.has(shape.value(), sample.key())).equals(Optional.of(false))
                && read(still.has(sample.from(), sample.key())).equals(Optional.of(true));
    }

    private void tell(Pair pair) {
        log.atWarn()
                .setMessage("the initial scan left out rows that the source has")
                .addKeyValue("table", pair.to())
                .addKeyValue("source_table", pair.from())
                .addKeyValue(
                        "text",
                        "its feed was probably made without INITIAL_SCAN = TRUE, so that what was there before the feed is missing;"
                                + " or the scan was gone on with by a consumer that had read before. `aligned` is said all the"
                                + " same; bring the stream in anew (docs/runbooks/bring-a-stream-in-anew.md)")
                .log();
    }

    private static <T> Optional<T> read(Answer<T> answer) {
        return answer instanceof Answer.Read<T> read ? Optional.of(read.value()) : Optional.empty();
    }
}
