package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.topic.TopicRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Opens and drops the changefeeds of tables: feed, topic and path together. The database's lock guards it. */
final class FeedHost {
    private static final Duration RETENTION_DEFAULT = Duration.ofHours(24);

    private final PathTree tree;
    private final VirtualClock clock;
    private final TopicRegistry topics;
    private final Changefeeds changefeeds;

    FeedHost(PathTree tree, VirtualClock clock, TopicRegistry topics, Changefeeds changefeeds) {
        this.tree = tree;
        this.clock = clock;
        this.topics = topics;
        this.changefeeds = changefeeds;
    }

    /** Refuses feeds that cannot be, beside those of the names that stay. */
    void check(TableSchema schema, Set<String> staying, List<TableSpec.ChangefeedSpec> added) {
        Set<String> names = new HashSet<>(staying);
        for (TableSpec.ChangefeedSpec feed : added) {
            if (!names.add(feed.name())) {
                throw new YdbException(
                        Status.SCHEME_ERROR,
                        Issue.of(
                                Issue.SCHEME,
                                "Check failed: path: '" + schema.path() + "/" + feed.name()
                                        + "', error: path exist, request accepts it"));
            }
            changefeeds.check(schema, feed);
        }
    }

    /** Opens a feed that was checked. */
    void open(StoredTable table, TableSpec.ChangefeedSpec spec, Commit commit) {
        String path = table.path() + "/" + spec.name();
        int partitions = spec.minActivePartitions() > 0
                ? spec.minActivePartitions()
                : table.shards().size();
        Duration retention = spec.retention();
        FeedTopic topic = topics.createFeedTopic(
                new TopicRegistry.FeedTopicSpec(
                        path,
                        partitions,
                        spec.autoPartitioning(),
                        spec.maxActivePartitions(),
                        retention == null ? RETENTION_DEFAULT : retention),
                commit.timestamp());
        tree.add(path, SchemeEntry.Kind.TOPIC, commit.timestamp());
        table.feeds.put(spec.name(), changefeeds.open(spec, new TableFeedSource(table, clock), topic, commit));
    }

    void drop(StoredTable table, String name) {
        Changefeed feed = table.feeds.remove(name);
        if (feed != null) {
            feed.disable();
        }
        String path = table.path() + "/" + name;
        topics.dropFeedTopic(path);
        tree.remove(path);
    }

    static void requireNoScan(StoredTable table) {
        for (Changefeed feed : table.feeds.values()) {
            if (feed.describe().state() == Changefeed.State.INITIAL_SCAN) {
                throw new YdbException(
                        Status.OVERLOADED,
                        "Table " + table.path() + " is not split or merged while a changefeed scans it");
            }
        }
    }
}
