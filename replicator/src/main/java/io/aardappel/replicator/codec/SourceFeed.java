package io.aardappel.replicator.codec;

/**
 * What is known of a stream's changefeed.
 *
 * @param images where its records carry the new state of a row
 * @param columns of its table, for what people are told
 */
public record SourceFeed(FeedImages images, SourceColumns columns) {
    /** A feed of whose table nothing is known. */
    public static SourceFeed of(FeedImages images) {
        return new SourceFeed(images, new SourceColumns());
    }
}
