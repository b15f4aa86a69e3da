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
        Map<String, String> attributes,
        Tuning tuning) {
    public TopicSpec {
        codecs = List.copyOf(codecs);
        consumers = List.copyOf(consumers);
        attributes = Map.copyOf(attributes);
    }

    /** A topic whose finer settings have their defaults. */
    public TopicSpec(
            String path,
            int minActivePartitions,
            int maxActivePartitions,
            boolean autoPartitioning,
            Duration retention,
            List<Integer> codecs,
            List<ConsumerSpec> consumers,
            Map<String, String> attributes) {
        this(
                path,
                minActivePartitions,
                maxActivePartitions,
                autoPartitioning,
                retention,
                codecs,
                consumers,
                attributes,
                autoPartitioning ? Tuning.DEFAULT.withStrategy(Tuning.SCALE_UP) : Tuning.DEFAULT);
    }

    /** A named reader of the topic whose offsets are kept. */
    public record ConsumerSpec(
            String name,
            boolean important,
            @Nullable Instant readFrom,
            List<Integer> codecs,
            Map<String, String> attributes) {
        public ConsumerSpec {
            codecs = List.copyOf(codecs);
            attributes = Map.copyOf(attributes);
        }

        /** A consumer with nothing but a name. */
        public static ConsumerSpec of(String name) {
            return new ConsumerSpec(name, false, null, List.of(), Map.of());
        }
    }

    /**
     * Settings that are kept and shown but, the strategy apart, change nothing here.
     *
     * @param strategy number of {@code Ydb.Topic.AutoPartitioningStrategy}
     * @param meteringMode number of {@code Ydb.Topic.MeteringMode}
     */
    public record Tuning(
            int strategy,
            Duration stabilizationWindow,
            int upUtilizationPercent,
            int downUtilizationPercent,
            long partitionCountLimit,
            long retentionStorageMb,
            long writeSpeedBytes,
            long writeBurstBytes,
            int meteringMode) {
        public static final int DISABLED = 1;
        public static final int SCALE_UP = 2;
        public static final int SCALE_UP_AND_DOWN = 3;
        public static final int PAUSED = 4;
        public static final Tuning DEFAULT =
                new Tuning(DISABLED, Duration.ofMinutes(5), 80, 20, 0, 0, 1 << 20, 1 << 20, 0);

        public Tuning withStrategy(int number) {
            return new Tuning(
                    number,
                    stabilizationWindow,
                    upUtilizationPercent,
                    downUtilizationPercent,
                    partitionCountLimit,
                    retentionStorageMb,
                    writeSpeedBytes,
                    writeBurstBytes,
                    meteringMode);
        }
    }

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

        record SetTuning(Tuning tuning) implements Change {}

        record SetAttributes(Map<String, String> attributes) implements Change {}
    }
}
