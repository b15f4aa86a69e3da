package io.aardappel.emulator.model.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What CREATE TOPIC asks for. Codec numbers: RAW 1, GZIP 2, LZOP 3, ZSTD 4; an empty list allows every codec. */
public record TopicSpec(
        String path,
        int minActivePartitions,
        int maxActivePartitions,
        boolean autoPartitioning,
        Duration retention,
        List<Integer> codecs,
        List<ConsumerSpec> consumers,
        Map<String, String> attributes) {
    /** A named reader of the topic whose offsets are kept. */
    public record ConsumerSpec(
            String name,
            boolean important,
            @Nullable Instant readFrom,
            List<Integer> codecs,
            Map<String, String> attributes) {}

    /** One change of ALTER TOPIC. */
    public sealed interface Change {
        record AddConsumer(ConsumerSpec consumer) implements Change {}

        record DropConsumer(String name) implements Change {}

        record AlterConsumer(ConsumerSpec consumer) implements Change {}

        record SetRetention(Duration retention) implements Change {}

        record SetCodecs(List<Integer> codecs) implements Change {}

        record SetPartitioning(
                int minActivePartitions,
                int maxActivePartitions,
                @Nullable Boolean autoPartitioning) implements Change {}

        record SetAttributes(Map<String, String> attributes) implements Change {}
    }
}
