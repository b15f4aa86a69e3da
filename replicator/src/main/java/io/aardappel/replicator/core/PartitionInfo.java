package io.aardappel.replicator.core;

import java.util.List;

/**
 * One partition of a topic as described by the server.
 *
 * @param active false once it was split or merged: it ends at {@code endOffset}
 * @param parents ids it was made of, empty for an original one
 * @param children ids that were made of it, empty while active
 * @param startOffset first offset still kept
 * @param endOffset next offset to be written
 * @param committedOffset of our consumer; 0 when it never committed
 */
public record PartitionInfo(
        long id,
        boolean active,
        List<Long> parents,
        List<Long> children,
        long startOffset,
        long endOffset,
        long committedOffset) {}
