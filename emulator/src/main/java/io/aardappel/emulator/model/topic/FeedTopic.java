package io.aardappel.emulator.model.topic;

import java.util.List;

/** A changefeed's topic as its table sees it: it appends, nobody else may write. Safe for use from several threads. */
public interface FeedTopic {
    /** Ids of partitions that take messages, in key-range order. */
    List<Integer> activePartitions();

    /** Tablet id of a partition, as barriers carry it in {@code producer_id}. */
    String tabletId(int partition);

    /** Appends messages in order to one partition; each gets the next offset. */
    void append(int partition, List<TopicMessage> messages);
}
