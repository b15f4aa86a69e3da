package io.aardappel.emulator.model.topic;

import java.util.HashMap;
import java.util.Map;

/** A consumer with its committed offsets. Guarded by its topic. */
final class ConsumerOffsets {
    TopicSpec.ConsumerSpec spec;
    private final Map<Integer, Long> committed = new HashMap<>();

    ConsumerOffsets(TopicSpec.ConsumerSpec spec) {
        this.spec = spec;
    }

    long committed(int partition) {
        return committed.getOrDefault(partition, 0L);
    }

    void set(int partition, long offset) {
        committed.put(partition, offset);
    }
}
