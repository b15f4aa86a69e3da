package io.aardappel.replicator.ydb.preflight;

import com.google.protobuf.Duration;
import io.aardappel.replicator.codec.FeedImages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tech.ydb.proto.table.YdbTable.ChangefeedDescription;
import tech.ydb.proto.table.YdbTable.ChangefeedFormat;
import tech.ydb.proto.table.YdbTable.ChangefeedMode;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;

/** Whether a changefeed carries what replication needs. Pure. */
final class FeedCheck {
    private static final String RECREATE =
            "Make a changefeed WITH (MODE = 'UPDATES', FORMAT = 'JSON', VIRTUAL_TIMESTAMPS = TRUE,"
                    + " RESOLVED_TIMESTAMPS = Interval('PT1S'), RETENTION_PERIOD = Interval('P3D'), INITIAL_SCAN = TRUE) and name its topic";

    private final java.time.Duration heartbeat;

    /** @param heartbeat the longest expected time between two barriers */
    FeedCheck(java.time.Duration heartbeat) {
        this.heartbeat = heartbeat;
    }

    /**
     * @param topic absolute path of the feed's topic, for messages
     * @param name of the feed
     * @param table description of the source table
     */
    List<Finding> of(String topic, String name, DescribeTableResult table) {
        Optional<ChangefeedDescription> feed = table.getChangefeedsList().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst();
        return feed.map(found -> of(topic, found))
                .orElseGet(() -> List.of(Finding.error(topic, "its table has no changefeed named " + name, RECREATE)));
    }

    private List<Finding> of(String topic, ChangefeedDescription feed) {
        List<Finding> findings = new ArrayList<>();
        ChangefeedMode.Mode mode = feed.getMode();
        if (mode == ChangefeedMode.Mode.MODE_KEYS_ONLY || mode == ChangefeedMode.Mode.MODE_OLD_IMAGE) {
            findings.add(
                    Finding.error(topic, "the changefeed's mode " + word(mode) + " carries no new values", RECREATE));
        }
        if (feed.getFormat() != ChangefeedFormat.Format.FORMAT_JSON) {
            findings.add(Finding.error(topic, "the changefeed's format is " + word(feed.getFormat()), RECREATE));
        }
        if (!feed.getVirtualTimestamps()) {
            findings.add(Finding.error(topic, "the changefeed carries no virtual timestamps", RECREATE));
        }
        if (feed.getState() == ChangefeedDescription.State.STATE_DISABLED) {
            findings.add(Finding.error(topic, "the changefeed is disabled and gives no more changes", RECREATE));
        }
        barriers(topic, feed).ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> barriers(String topic, ChangefeedDescription feed) {
        Duration interval = feed.getResolvedTimestampsInterval();
        long seconds = interval.getSeconds();
        if (!feed.hasResolvedTimestampsInterval() || seconds == 0) {
            return Optional.of(Finding.error(topic, "the changefeed has no resolved timestamps", RECREATE));
        }
        if (seconds >= heartbeat.toSeconds()) {
            return Optional.of(Finding.warning(
                    topic,
                    "the changefeed's resolved timestamps come every " + seconds
                            + " s, which is not below max_expected_heartbeat_interval of " + heartbeat.toSeconds()
                            + " s",
                    "Raise max_expected_heartbeat_interval, or waiting for them will be reported as a stall"));
        }
        return Optional.empty();
    }

    /** Where a feed's records carry the new state; empty where there is no such feed. */
    static Optional<FeedImages> images(String name, DescribeTableResult table) {
        return table.getChangefeedsList().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .map(feed -> feed.getMode() == ChangefeedMode.Mode.MODE_NEW_IMAGE
                                || feed.getMode() == ChangefeedMode.Mode.MODE_NEW_AND_OLD_IMAGES
                        ? FeedImages.NEW_IMAGE
                        : FeedImages.WRITTEN_COLUMNS);
    }

    private static String word(ChangefeedMode.Mode mode) {
        return mode.name().replaceFirst("MODE_", "");
    }

    private static String word(ChangefeedFormat.Format format) {
        return format.name().replaceFirst("FORMAT_", "");
    }
}
