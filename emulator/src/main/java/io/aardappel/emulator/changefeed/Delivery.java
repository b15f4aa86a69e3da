package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last leg of a record: from its shard's outbox into a partition. Appends in batches, at {@link #flush}. */
final class Delivery {
    static final int CODEC_RAW = 1;

    private final String path;
    private final FeedTopic topic;
    private final FeedKnobs knobs;
    private final Hazards hazards;
    private final boolean barriers;
    private final Map<Integer, PartitionGate> gates = new TreeMap<>();
    private final Map<Integer, List<TopicMessage>> batches = new LinkedHashMap<>();
    private List<Integer> partitions = List.of();

    /**
     * @param path of the topic
     * @param barriers whether the feed has barriers and timestamps, so that a record can be late
     */
    Delivery(String path, FeedTopic topic, FeedKnobs knobs, Hazards hazards, boolean barriers) {
        this.path = path;
        this.topic = topic;
        this.knobs = knobs;
        this.hazards = hazards;
        this.barriers = barriers;
    }

    /**
     * Looks up which partitions are active; they stay so until the next call. What waits in front of one that was split or
     * merged goes on to those that took its keys.
     */
    void begin(long nowMillis) {
        List<Integer> active = topic.activePartitions();
        if (active.equals(partitions)) {
            return;
        }
        partitions = active;
        List<PartitionGate> closed = gates.entrySet().stream()
                .filter(entry -> !active.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        gates.keySet().retainAll(active);
        closed.forEach(gate -> gate.abandon().forEach(waiting -> change(waiting.from(), waiting.change(), nowMillis)));
    }

    void change(Outbox from, Outgoing.Change change, long nowMillis) {
        int partition = partitions.size() == 1 ? partitions.get(0) : topic.partitionOf(change.keyHash());
        gate(partition).enter(new PartitionGate.Change(from, change), nowMillis);
    }

    void announcement(Outbox from, Outgoing.Announcement announcement, long nowMillis) {
        partitions.forEach(partition -> gate(partition).enter(new PartitionGate.Notice(from, announcement), nowMillis));
    }

    void barrier(long step, long nowMillis) {
        partitions.forEach(partition -> gate(partition).enter(new PartitionGate.Barrier(step), nowMillis));
    }

    /** How much waits in front of the partitions. */
    int waiting() {
        int waiting = 0;
        for (PartitionGate gate : gates.values()) {
            waiting += gate.waiting();
        }
        return waiting;
    }

    /** Lets go what waited in front of partitions and is due; answers how much. */
    int release(long nowMillis) {
        int released = 0;
        for (PartitionGate gate : gates.values()) {
            released += gate.release(nowMillis);
        }
        return released;
    }

    /** Appends what was delivered since the last call. */
    void flush() {
        batches.forEach(topic::append);
        batches.clear();
    }

    private PartitionGate gate(int partition) {
        PartitionGate gate = gates.get(partition);
        if (gate == null) {
            gate = new PartitionGate(partition, path, knobs, barriers ? hazards : Hazards.NONE, this);
            gates.put(partition, gate);
        }
        return gate;
    }

    void append(int partition, Outbox from, Outgoing.Change change, long nowMillis) {
        add(
                partition,
                new TopicMessage(
                        from.producerId(),
                        from.nextSeqNo(),
                        change.createdAtMillis(),
                        nowMillis,
                        CODEC_RAW,
                        change.data().length,
                        change.metadata(),
                        change.data()));
    }

    void append(int partition, Outbox from, Outgoing.Announcement announcement, long nowMillis) {
        byte[] data = announcement.data();
        add(
                partition,
                new TopicMessage(
                        from.producerId(),
                        from.nextSeqNo(),
                        announcement.createdAtMillis(),
                        nowMillis,
                        CODEC_RAW,
                        data.length,
                        Map.of(),
                        data));
    }

    void appendBarrier(int partition, long step, long nowMillis) {
        byte[] data = JsonFormat.barrier(step);
        add(
                partition,
                new TopicMessage(
                        topic.tabletId(partition), 0, nowMillis, nowMillis, CODEC_RAW, data.length, Map.of(), data));
    }

    private void add(int partition, TopicMessage message) {
        batches.computeIfAbsent(partition, missing -> new ArrayList<>()).add(message);
    }
}
