package io.aardappel.emulator.model.topic;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.time.Duration;
import java.util.List;

/**
 * The topics of one database as its path tree sees them. The tree has checked that a path to create is free and that a
 * path to alter or drop is a topic. Called under the database's lock: an implementation must never wait for a thread that
 * may call the database. Refuses by throwing {@link io.aardappel.emulator.model.YdbException}, then nothing has changed.
 */
public interface TopicRegistry {
    /**
     * A topic that a changefeed writes.
     *
     * @param path absolute, {@code <table>/<feed>}
     * @param partitions number of partitions at the start, at least 1
     * @param maxPartitions up to how many it may split by itself, 0 for no bound; only with {@code autoPartitioning}
     */
    record FeedTopicSpec(
            String path, int partitions, boolean autoPartitioning, int maxPartitions, Duration retention) {}

    /** Creates a topic that clients may write. */
    void create(TopicSpec topic, VirtualTimestamp created);

    /** Changes a topic; of a changefeed's topic only what YDB allows there (consumers, retention). */
    void alter(String path, List<TopicSpec.Change> changes);

    /** Drops a topic that is not a changefeed's; its open sessions end. */
    void drop(String path);

    /** Creates the topic of a changefeed: clients may read it and add consumers, only the table writes. */
    FeedTopic createFeedTopic(FeedTopicSpec topic, VirtualTimestamp created);

    /** Drops the topic of a changefeed that was dropped. */
    void dropFeedTopic(String path);
}
