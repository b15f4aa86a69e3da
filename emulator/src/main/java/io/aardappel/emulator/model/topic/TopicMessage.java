package io.aardappel.emulator.model.topic;

import java.util.Map;

/**
 * A message as a partition stores it.
 *
 * @param producerId empty for a writer without deduplication
 * @param seqNo rises for one producer; 0 for barriers
 * @param createdAtMillis the writer's clock, writtenAtMillis the server's
 * @param codec RAW 1, GZIP 2, LZOP 3, ZSTD 4; data is as the writer sent it and must not be changed
 * @param sessionMeta what the write session said of itself, the same for all its messages
 */
public record TopicMessage(
        String producerId,
        long seqNo,
        long createdAtMillis,
        long writtenAtMillis,
        int codec,
        long uncompressedSize,
        Map<String, byte[]> metadata,
        byte[] data,
        Map<String, String> sessionMeta) {
    /** A message of a writer that said nothing of itself, such as a changefeed. */
    public TopicMessage(
            String producerId,
            long seqNo,
            long createdAtMillis,
            long writtenAtMillis,
            int codec,
            long uncompressedSize,
            Map<String, byte[]> metadata,
            byte[] data) {
        this(producerId, seqNo, createdAtMillis, writtenAtMillis, codec, uncompressedSize, metadata, data, Map.of());
    }

    /** The same message, written at another time. */
    TopicMessage writtenAt(long millis) {
        return new TopicMessage(
                producerId, seqNo, createdAtMillis, millis, codec, uncompressedSize, metadata, data, sessionMeta);
    }
}
