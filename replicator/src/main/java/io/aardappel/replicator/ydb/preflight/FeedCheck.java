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
    private final java.time.Duration heartbeat;

    /** @param heartbeat the longest expected time between two barriers */
    FeedCheck(java.time.Duration heartbeat) {
        this.heartbeat = heartbeat;
    }

    /**
     * @param topic absolute path of the feed's topic: the source table's and the feed's name
     * @param consumer that a feed in its place would need
     * @param table description of the source table
     */
    List<Finding> of(String topic, String consumer, DescribeTableResult table) {
        int slash = topic.lastIndexOf('/');
        String name = topic.substring(slash + 1);
        String remedy = "Make another feed, and name its topic as src_topic: "
                + Statements.addFeed(topic.substring(0, slash), free(name, table), consumer);
        Optional<ChangefeedDescription> feed = table.getChangefeedsList().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst();
        return feed.map(found -> of(topic, found, remedy))
                .orElseGet(() -> List.of(Finding.error(topic, "its table has no changefeed named " + name, remedy)));
    }

    /** A name like the feed's that no feed of the table has. */
    private static String free(String name, DescribeTableResult table) {
        int number = 2;
        while (isTaken(name + number, table)) {
            number++;
        }
        return name + number;
    }

    private static boolean isTaken(String name, DescribeTableResult table) {
        return table.getChangefeedsList().stream().anyMatch(one -> one.getName().equals(name));
    }

    private List<Finding> of(String topic, ChangefeedDescription feed, String remedy) {
        List<Finding> findings = new ArrayList<>();
        ChangefeedMode.Mode mode = feed.getMode();
        if (mode == ChangefeedMode.Mode.MODE_KEYS_ONLY || mode == ChangefeedMode.Mode.MODE_OLD_IMAGE) {
            findings.add(
                    Finding.error(topic, "the changefeed's mode " + word(mode) + " carries no new values", remedy));
        }
        if (feed.getFormat() != ChangefeedFormat.Format.FORMAT_JSON) {
            findings.add(Finding.error(topic, "the changefeed's format is " + word(feed.getFormat()), remedy));
        }
        if (!feed.getVirtualTimestamps()) {
            findings.add(Finding.error(topic, "the changefeed carries no virtual timestamps", remedy));
        }
        if (feed.getState() == ChangefeedDescription.State.STATE_DISABLED) {
            findings.add(Finding.error(topic, "the changefeed is disabled and gives no more changes", remedy));
        }
        barriers(topic, feed, remedy).ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> barriers(String topic, ChangefeedDescription feed, String remedy) {
        Duration interval = feed.getResolvedTimestampsInterval();
        long seconds = interval.getSeconds();
        if (!feed.hasResolvedTimestampsInterval() || seconds == 0) {
            return Optional.of(Finding.error(topic, "the changefeed has no resolved timestamps", remedy));
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
