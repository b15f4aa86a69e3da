package io.aardappel.replicator.ydb.topics;

import com.github.luben.zstd.ZstdInputStream;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import tech.ydb.proto.topic.YdbTopic.Codec;

/** A message's bytes as they were before the writer packed them. */
final class Payload {
    /** Far above what a topic takes in one message; a small message cannot be made to fill the memory. */
    private static final int LARGEST = 64 << 20;

    private Payload() {}

    /** Whether messages of the codec are what the writer wrote, as those of changefeeds are. */
    static boolean isPlain(int codec) {
        return codec == Codec.CODEC_RAW_VALUE || codec == Codec.CODEC_UNSPECIFIED_VALUE;
    }

    /**
     * Unpacks.
     *
     * @throws IOException when the codec is unknown, the bytes are not of the codec or they are too many
     */
    static byte[] unpack(int codec, ByteString data) throws IOException {
        return switch (codec) {
            case Codec.CODEC_RAW_VALUE, Codec.CODEC_UNSPECIFIED_VALUE -> data.toByteArray();
            case Codec.CODEC_GZIP_VALUE -> read(new GZIPInputStream(data.newInput()));
            case Codec.CODEC_ZSTD_VALUE -> read(new ZstdInputStream(data.newInput()));
            default -> throw new IOException("codec " + codec + " is not supported");
        };
    }

    private static byte[] read(InputStream packed) throws IOException {
        try (packed) {
            byte[] bytes = packed.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IOException("the unpacked message is larger than " + LARGEST + " bytes");
            }
            return bytes;
        }
    }
}
