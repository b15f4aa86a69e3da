package io.aardappel.emulator.model.topic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One partition: its log, its place in the graph, and what its producers wrote last. Guarded by its topic. */
final class Partition {
    final int id;
    final String tabletId;
    final List<Integer> parents;
    final List<Integer> children = new ArrayList<>();
    final MessageLog log = new MessageLog();
    /** Highest sequence number by producer, for deduplication. */
    final Map<String, Long> producers = new HashMap<>();

    HashRange range;
    boolean active = true;
    /** Rises whenever the partition moves to another node. */
    long generation = 1;

    int node = 1;
    long lastWriteMillis;

    Partition(int id, String tabletId, List<Integer> parents, HashRange range) {
        this.id = id;
        this.tabletId = tabletId;
        this.parents = List.copyOf(parents);
        this.range = range;
    }

    void append(TopicMessage message) {
        log.append(message);
        lastWriteMillis = Math.max(lastWriteMillis, message.writtenAtMillis());
    }

    PartitionInfo info() {
        return new PartitionInfo(
                id,
                tabletId,
                active,
                parents,
                List.copyOf(children),
                range,
                log.start(),
                log.end(),
                log.bytes(),
                lastWriteMillis,
                generation,
                node);
    }
}
