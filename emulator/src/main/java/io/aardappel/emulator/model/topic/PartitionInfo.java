package io.aardappel.emulator.model.topic;

import java.util.List;

/**
 * A partition as it was when it was asked about.
 *
 * @param active false once it was split or merged: it takes no more messages
 * @param start offset of the oldest message that is left
 * @param end offset that the next message gets
 * @param bytes of message data kept
 * @param lastWriteMillis server time of the last message, 0 when there was none
 * @param generation rises whenever the partition moves to another node
 */
public record PartitionInfo(
        int id,
        String tabletId,
        boolean active,
        List<Integer> parents,
        List<Integer> children,
        HashRange range,
        long start,
        long end,
        long bytes,
        long lastWriteMillis,
        long generation,
        int node) {}
