package io.aardappel.replicator.app;

import io.aardappel.access.auth.RenewalPace;
import io.aardappel.replicator.engine.EngineSettings;
import io.aardappel.replicator.ydb.target.TargetSettings;
import io.aardappel.replicator.ydb.topics.ReaderSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The bounds that cannot be configured, with their names and reasons: the reference page is made from this, and this from the
 * settings that the program runs by.
 */
public final class FixedBounds {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(24);

    /**
     * One of them.
     *
     * @param value with its unit; H is {@code max_expected_heartbeat_interval}
     * @param meaning what it bounds, and why so
     */
    public record Bound(String name, String value, String meaning) {}

    private FixedBounds() {}

    /** All of them, those of the start first. */
    public static List<Bound> all() {
        RenewalPace tokens = RenewalPace.STANDARD;
        ReaderSettings reader = reader(SHORT);
        TargetSettings target = target(SHORT);
        return List.of(
                new Bound(
                        "start_pause",
                        text(Preparation.PAUSE),
                        "A database that is away at the start is left alone so long before it is asked again, up to"
                                + " `retry_time_max`."),
                new Bound(
                        "first_token_within",
                        text(tokens.firstWithin()),
                        "The first token of a database, retries included; as in the Go program."),
                new Bound(
                        "token_request",
                        text(tokens.requestWithin()),
                        "One request for a token; as in the Go program."),
                new Bound(
                        "token_pause",
                        text(tokens.pauseFirst()) + " to " + text(tokens.pauseMax()),
                        "Between requests for a token in vain, doubled each time. A token is renewed from half of its life"
                                + " on, so that many such pauses fit before it ends."),
                new Bound(
                        "call_pause",
                        text(target.pauseMin()) + " to " + text(Replication.CALL_PAUSE_MAX),
                        "Between the `call_tries` of one call to the destination, doubled each time, and not above"
                                + " `retry_pause_max`: short, because the lock's renewal is such a call."),
                new Bound(
                        "resolve_timeout",
                        inHeartbeats(heartbeat -> target(heartbeat).resolveTimeout()),
                        "How long the outcome of a commit that was not answered is asked for before the lock is given up: the"
                                + " life of the lock, after which another process would ask anyway."),
                new Bound(
                        "call_text",
                        target.callTextBytes() + " bytes",
                        "The text of one call; what exceeds it is spread over calls of the same transaction. A limit of the"
                                + " server."),
                new Bound(
                        "returned_rows",
                        target.returnedRows() + " rows",
                        "What one statement may give back; more is asked for in parts. A limit of the server."),
                new Bound(
                        "stream_credit",
                        bytes(reader.creditBytesMin()) + " to " + bytes(ReaderSettings.STREAM_CREDIT_BYTES_MAX),
                        "A topic stream's share of `read_credit`: enough for one message of common size, and no more than keeps"
                                + " a fast network busy."),
                new Bound(
                        "decode_threads",
                        "one a processor, 8 at most",
                        "Partitions decoded at once; the one loop of the engine takes no more."),
                new Bound(
                        "reconnect_pause_first",
                        text(reader.reconnectPauseFirst()),
                        "Before a broken topic stream is opened again, doubled each time up to `retry_pause_max`."),
                new Bound(
                        "refusal_patience",
                        inHeartbeats(heartbeat -> reader(heartbeat).refusalPatience()),
                        "How long the source may refuse (no such topic, no right) before that is final and ends the process:"
                                + " within it the topic of a feed that is made anew comes back."),
                new Bound(
                        "silence_max",
                        inHeartbeats(heartbeat -> reader(heartbeat).silenceMax()),
                        "After so much silence a topic stream's server is asked for a sign of life, which may take"
                                + " `call_timeout`: in H there would have been a heartbeat."),
                new Bound(
                        "token_check",
                        inHeartbeats(heartbeat -> reader(heartbeat).tokenCheckInterval()),
                        "How often open topic streams are shown a token that has changed."),
                new Bound(
                        "notice_interval",
                        inHeartbeats(heartbeat -> reader(heartbeat).noticeInterval()),
                        "The trouble of a stream is told once in so long: in time for `blocking` to say it within three H."),
                new Bound(
                        "schema_pause",
                        text(reader.schemaPause()),
                        "Between two looks at a destination table that lacks a column, within `schema_wait`."),
                new Bound(
                        "close_timeout",
                        text(reader.closeTimeout()),
                        "Waiting for threads at the end; within `shutdown_timeout`."),
                new Bound(
                        "progress_patience",
                        EngineSettings.PATIENCE_INTERVALS + " H",
                        "Without progress for so long, the log says `no progress` and why; `/status` and metrics say it from"
                                + " the first moment."),
                new Bound(
                        "history_little",
                        "retention / " + EngineSettings.HISTORY_LITTLE,
                        "The log warns that `history runs out` below this part of the topic's retention period: with the usual"
                                + " day of retention more than two hours are left to act."));
    }

    private static ReaderSettings reader(Duration heartbeat) {
        return ReaderSettings.of(Long.MAX_VALUE, heartbeat);
    }

    private static TargetSettings target(Duration heartbeat) {
        return TargetSettings.of(Replication.lockTtl(heartbeat));
    }

    /** A bound that follows H, as a multiple of it with a constant above or below where it has one. */
    private static String inHeartbeats(Function<Duration, Duration> bound) {
        Duration least = bound.apply(SHORT);
        Duration most = bound.apply(LONG);
        double ofShort = factor(least, SHORT);
        double ofLong = factor(most, LONG);
        if (ofShort == ofLong) {
            return multiple(ofLong);
        }
        boolean capped = bound.apply(LONG.dividedBy(2)).equals(most);
        return capped
                ? multiple(ofShort) + ", " + text(most) + " at most"
                : multiple(ofLong) + ", " + text(least) + " at least";
    }

    private static double factor(Duration bound, Duration heartbeat) {
        return (double) bound.toNanos() / heartbeat.toNanos();
    }

    private static String multiple(double factor) {
        if (factor == 1) {
            return "H";
        }
        return factor < 1 ? "H / " + Math.round(1 / factor) : Math.round(factor) + " H";
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }

    private static String bytes(long count) {
        return count % (1 << 20) == 0 ? (count >> 20) + "MiB" : (count >> 10) + "KiB";
    }
}
