package io.aardappel.emulator.model.topic;

import java.math.BigInteger;
import java.util.List;

/** A changefeed's topic as its table sees it: it appends, nobody else may write. Safe for use from several threads. */
public interface FeedTopic {
    /** Ids of partitions that take messages, in key-range order. */
    List<Integer> activePartitions();

    /**
     * The active partition that takes the records of a key.
     *
     * @param hash MD5 of the key's text, a number from 0 to 2^128 - 1. Without splits the range is cut into equal slices,
     *     one for each active partition; a topic whose partitions were split or merged looks into their key ranges
     */
    default int partitionOf(BigInteger hash) {
        List<Integer> partitions = activePartitions();
        BigInteger slice =
                BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE).divide(BigInteger.valueOf(partitions.size()));
        return partitions.get(hash.divide(slice)
                .min(BigInteger.valueOf(partitions.size() - 1))
                .intValueExact());
    }

    /** Tablet id of a partition, as barriers carry it in {@code producer_id}. */
    String tabletId(int partition);

    /** Appends messages in order to one partition; each gets the next offset. */
    void append(int partition, List<TopicMessage> messages);
}
