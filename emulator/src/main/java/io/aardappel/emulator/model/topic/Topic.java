package io.aardappel.emulator.model.topic;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A topic: partitions that keep messages, and consumers whose offsets it remembers. Thread-safe by one lock of its own, under
 * which nothing else is called. Time comes in by parameter.
 */
public final class Topic implements FeedTopic {
    /** Largest message data that a client may write, in bytes. */
    public static final int MESSAGE_BYTES_MAX = 12 << 20;

    /** What became of one message of a {@link #write}: its offset, or {@link #SKIPPED}. */
    public static final long SKIPPED = -1;

    private final String path;
    private final boolean feed;
    private final LongSupplier tabletIds;
    private final List<TopicListener> listeners = new CopyOnWriteArrayList<>();
    private final TreeMap<Integer, Partition> partitions = new TreeMap<>();
    private final Map<String, ConsumerOffsets> consumers = new LinkedHashMap<>();
    private final Map<String, Integer> producerPartitions = new LinkedHashMap<>();
    private TopicSpec spec;
    private VirtualTimestamp created;
    private boolean dropped;
    private int roundRobin;

    /**
     * @param feed true when a changefeed writes the topic and clients may not
     * @param tabletIds gives each partition a number of its own
     */
    public Topic(TopicSpec spec, VirtualTimestamp created, boolean feed, LongSupplier tabletIds) {
        this.spec = spec;
        this.path = spec.path();
        this.created = created;
        this.feed = feed;
        this.tabletIds = tabletIds;
        addRoots();
        spec.consumers().forEach(consumer -> consumers.put(consumer.name(), new ConsumerOffsets(consumer)));
    }

    public String path() {
        return path;
    }

    /** When it was created; a topic that was dropped and created anew differs in this. */
    public synchronized VirtualTimestamp created() {
        return created;
    }

    /** True when a changefeed writes it. */
    public boolean isFeed() {
        return feed;
    }

    /** What it would be created from now: the settings as changed since, the consumers in the order they came. */
    public synchronized TopicSpec spec() {
        return new TopicSpec(
                path,
                spec.minActivePartitions(),
                spec.maxActivePartitions(),
                spec.autoPartitioning(),
                spec.retention(),
                spec.codecs(),
                consumers.values().stream().map(consumer -> consumer.spec).toList(),
                spec.attributes(),
                spec.tuning());
    }

    public synchronized boolean isDropped() {
        return dropped;
    }

    /** True when some partition keeps messages. */
    public synchronized boolean hasMessages() {
        return partitions.values().stream().anyMatch(partition -> partition.log.end() > partition.log.start());
    }

    public void addListener(TopicListener listener) {
        listeners.add(listener);
    }

    public void removeListener(TopicListener listener) {
        listeners.remove(listener);
    }

    /** All partitions by id, those that were split or merged too. */
    public synchronized List<PartitionInfo> partitions() {
        return partitions.values().stream().map(Partition::info).toList();
    }

    /** One partition; SCHEME_ERROR when there is none of that id. */
    public synchronized PartitionInfo partition(int id) {
        return find(id).info();
    }

    public synchronized boolean hasPartition(long id) {
        return id >= 0 && id <= Integer.MAX_VALUE && partitions.containsKey((int) id);
    }

    @Override
    public synchronized List<Integer> activePartitions() {
        return actives().map(partition -> partition.id).toList();
    }

    @Override
    public synchronized int partitionOf(BigInteger hash) {
        return actives()
                .filter(partition -> partition.range.contains(hash))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no partition of " + path + " takes hash " + hash))
                .id;
    }

    @Override
    public synchronized String tabletId(int partition) {
        return find(partition).tabletId;
    }

    @Override
    public void append(int partition, List<TopicMessage> messages) {
        synchronized (this) {
            Partition target = find(partition);
            messages.forEach(target::append);
        }
        listeners.forEach(listener -> listener.appended(this, partition));
    }

    /**
     * Appends messages of one client, leaving out those whose sequence number its producer already reached.
     *
     * @return for each message its offset or {@link #SKIPPED}
     */
    public long[] write(int partition, List<TopicMessage> messages) {
        long[] offsets = new long[messages.size()];
        synchronized (this) {
            checkAlive();
            Partition target = find(partition);
            if (!target.active) {
                throw new YdbException(
                        Status.OVERLOADED,
                        "partition %d of %s was split or merged: write to its children".formatted(partition, path));
            }
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = writeOne(target, messages.get(i));
            }
        }
        listeners.forEach(listener -> listener.appended(this, partition));
        return offsets;
    }

    /** Messages of a transaction that was checked before; where the partition was split since, a child takes them. */
    void writeCommitted(int partition, List<TopicMessage> messages) {
        int target;
        synchronized (this) {
            Partition wanted = find(partition);
            while (!wanted.active) {
                wanted = find(wanted.children.get(0));
            }
            target = wanted.id;
            for (TopicMessage message : messages) {
                writeOne(wanted, message);
            }
        }
        listeners.forEach(listener -> listener.appended(this, target));
    }

    private long writeOne(Partition target, TopicMessage message) {
        String producer = message.producerId();
        if (!producer.isEmpty()) {
            if (message.seqNo() <= lastSeqNo(target, producer)) {
                return SKIPPED;
            }
            target.producers.put(producer, message.seqNo());
        }
        long offset = target.log.end();
        target.append(message);
        return offset;
    }

    /** Highest sequence number that the producer wrote to the partition or, before a split, to its parents; 0 for none. */
    public synchronized long lastSeqNo(int partition, String producer) {
        return lastSeqNo(find(partition), producer);
    }

    private long lastSeqNo(Partition partition, String producer) {
        long last = partition.producers.getOrDefault(producer, 0L);
        for (int parent : partition.parents) {
            last = Math.max(last, lastSeqNo(find(parent), producer));
        }
        return last;
    }

    /** The partition for a writer: the same as ever for one producer, in turn for writers without a name. */
    public synchronized int choosePartition(String producer) {
        if (producer.isEmpty()) {
            List<Integer> active = activePartitions();
            return active.get(Math.floorMod(roundRobin++, active.size()));
        }
        Integer known = producerPartitions.get(producer);
        int chosen = known != null && find(known).active ? known : partitionOf(HashRange.hash(producer));
        producerPartitions.put(producer, chosen);
        return chosen;
    }

    /** Neighbouring messages at or after the offset; empty when there are none yet. */
    public synchronized Slice read(int partition, long offset) {
        return find(partition).log.from(offset);
    }

    /** First offset whose message was written at or after the time; the partition's end when there is none. */
    public synchronized long offsetAt(int partition, long writtenAtMillis) {
        return find(partition).log.offsetAt(writtenAtMillis);
    }

    public synchronized boolean hasConsumer(String name) {
        return consumers.containsKey(name);
    }

    /** The committed offset; BAD_REQUEST when there is no such consumer. It may lie below the oldest message left. */
    public synchronized long committed(String consumer, int partition) {
        return consumer(consumer).committed(find(partition).id);
    }

    /** True when no message of the partition is left that the consumer has not committed. */
    public synchronized boolean isCommittedToEnd(String consumer, int partition) {
        MessageLog log = find(partition).log;
        return Math.max(consumer(consumer).committed(partition), log.start()) >= log.end();
    }

    /**
     * Moves a consumer's offset, forward only; beyond the end it is taken as the end, as YDB does.
     *
     * @return the committed offset afterwards
     */
    public synchronized long commit(String consumer, int partition, long offset) {
        ConsumerOffsets offsets = consumer(consumer);
        long limited = Math.min(offset, find(partition).log.end());
        long moved = Math.max(limited, offsets.committed(partition));
        offsets.set(partition, moved);
        return moved;
    }

    /** As {@link #commit}, by somebody whom the listeners do not know. */
    void commitOutside(String consumer, int partition, long offset) {
        commit(consumer, partition, offset);
        listeners.forEach(listener -> listener.committed(this, consumer, partition));
    }

    /** Sets a consumer's offset, forward or back, and tells the listeners; BAD_REQUEST beyond the end or below 0. */
    public void setCommitted(String consumer, int partition, long offset) {
        synchronized (this) {
            ConsumerOffsets offsets = consumer(consumer);
            long end = find(partition).log.end();
            if (offset < 0 || offset > end) {
                throw new YdbException(
                        Status.BAD_REQUEST,
                        "offset %d of partition %d of %s must lie between 0 and the end, %d"
                                .formatted(offset, partition, path, end));
            }
            offsets.set(partition, offset);
        }
        listeners.forEach(listener -> listener.committed(this, consumer, partition));
    }

    /** Applies all changes or, when one is refused, none. */
    public void alter(List<TopicSpec.Change> changes) {
        synchronized (this) {
            TopicAlteration alteration = new TopicAlteration(spec(), feed);
            changes.forEach(alteration::add);
            TopicSpec changed = alteration.result();
            spec = changed;
            consumers.keySet().removeAll(alteration.dropped());
            takeConsumers(changed.consumers());
            grow(changed.minActivePartitions());
        }
        listeners.forEach(listener -> listener.reshaped(this));
    }

    private void takeConsumers(List<TopicSpec.ConsumerSpec> wanted) {
        Set<String> names = new TreeSet<>();
        for (TopicSpec.ConsumerSpec consumer : wanted) {
            names.add(consumer.name());
            ConsumerOffsets offsets = consumers.computeIfAbsent(consumer.name(), name -> new ConsumerOffsets(consumer));
            offsets.spec = consumer;
            if (consumer.important()) {
                raiseToOldest(offsets);
            }
        }
        consumers.keySet().retainAll(names);
    }

    /** An important consumer wants no message that retention took before it became one: its offsets begin at the oldest left. */
    private void raiseToOldest(ConsumerOffsets offsets) {
        for (Partition partition : partitions.values()) {
            long start = partition.log.start();
            if (offsets.committed(partition.id) < start) {
                offsets.set(partition.id, start);
            }
        }
    }

    private void grow(int wanted) {
        boolean neverSplit = partitions.values().stream().allMatch(partition -> partition.active);
        if (neverSplit && partitions.size() < wanted) {
            List<HashRange> ranges = HashRange.equal(wanted);
            partitions.values().forEach(partition -> partition.range = ranges.get(partition.id));
            while (partitions.size() < wanted) {
                addPartition(List.of(), ranges.get(partitions.size()));
            }
        }
        while (activePartitions().size() < wanted) {
            Partition widest = actives()
                    .max(Comparator.comparing((Partition partition) -> partition.range.size()))
                    .orElseThrow();
            splitAt(widest, widest.range.middle());
        }
    }

    /**
     * Splits an active partition in two, at the middle of its range when no boundary is given. For a changefeed's topic hold the
     * database still meanwhile.
     *
     * @return ids of the children, the lower range first
     */
    public List<Integer> split(int partition, @Nullable BigInteger boundary) {
        List<Integer> children;
        synchronized (this) {
            Partition parent = active(partition);
            BigInteger cut = boundary == null ? parent.range.middle() : boundary;
            if (!parent.range.contains(cut) || cut.equals(parent.range.lower())) {
                throw new YdbException(
                        Status.BAD_REQUEST,
                        "partition %d of %s cannot be split at %s: outside its range"
                                .formatted(partition, path, cut.toString(16)));
            }
            children = splitAt(parent, cut);
        }
        listeners.forEach(listener -> listener.reshaped(this));
        return children;
    }

    private List<Integer> splitAt(Partition parent, BigInteger boundary) {
        parent.active = false;
        Partition lower = addPartition(List.of(parent.id), parent.range.below(boundary));
        Partition upper = addPartition(List.of(parent.id), parent.range.above(boundary));
        parent.children.addAll(List.of(lower.id, upper.id));
        return List.of(lower.id, upper.id);
    }

    /**
     * Merges two active partitions whose ranges touch; returns the child's id. For a changefeed's topic hold the database still
     * meanwhile.
     */
    public int merge(int first, int second) {
        int child;
        synchronized (this) {
            Partition lower = active(first);
            Partition upper = active(second);
            if (!lower.range.touches(upper.range)) {
                if (!upper.range.touches(lower.range)) {
                    throw new YdbException(
                            Status.BAD_REQUEST,
                            "partitions %d and %d of %s are not neighbours".formatted(first, second, path));
                }
                Partition swap = lower;
                lower = upper;
                upper = swap;
            }
            Partition merged =
                    addPartition(List.of(lower.id, upper.id), new HashRange(lower.range.from(), upper.range.to()));
            for (Partition parent : List.of(lower, upper)) {
                parent.active = false;
                parent.children.add(merged.id);
            }
            child = merged.id;
        }
        listeners.forEach(listener -> listener.reshaped(this));
        return child;
    }

    /** Forgets messages written longer ago than the retention, except what an important consumer has not committed. */
    public void expire(long nowMillis) {
        long limit = nowMillis - retentionMillis();
        cutEach(partition -> Math.min(partition.log.offsetAt(limit), wanted(partition)));
    }

    private synchronized long retentionMillis() {
        return spec.retention().toMillis();
    }

    /** Forgets the oldest messages of every partition, whoever still wants them. */
    public void cutOldest(long messages) {
        cutEach(partition -> partition.log.start() + messages);
    }

    private void cutEach(ToLongFunction<Partition> newStart) {
        boolean moved = false;
        synchronized (this) {
            for (Partition partition : partitions.values()) {
                long before = partition.log.start();
                partition.log.cut(newStart.applyAsLong(partition));
                moved |= partition.log.start() != before;
            }
        }
        if (moved) {
            listeners.forEach(listener -> listener.reshaped(this));
        }
    }

    private long wanted(Partition partition) {
        return consumers.values().stream()
                .filter(consumer -> consumer.spec.important())
                .mapToLong(consumer -> consumer.committed(partition.id))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The partition now lives on another node; its generation rises. */
    public synchronized void move(int partition) {
        Partition moved = find(partition);
        moved.generation++;
        moved.node = moved.node % 3 + 1;
    }

    /**
     * As if it were dropped and created anew under its name with its settings and consumers: empty, without offsets, with other
     * tablets. Listeners are told that it was dropped.
     */
    public void recreate(VirtualTimestamp again) {
        synchronized (this) {
            created = again;
            partitions.clear();
            producerPartitions.clear();
            addRoots();
            consumers.replaceAll((name, old) -> new ConsumerOffsets(old.spec));
        }
        listeners.forEach(listener -> listener.dropped(this));
    }

    private void addRoots() {
        for (HashRange range : HashRange.equal(spec.minActivePartitions())) {
            addPartition(List.of(), range);
        }
    }

    /** Ends the topic: listeners are told, writes are refused from now on. */
    public void drop() {
        synchronized (this) {
            dropped = true;
        }
        listeners.forEach(listener -> listener.dropped(this));
    }

    private Partition addPartition(List<Integer> parents, HashRange range) {
        int id = partitions.size();
        Partition partition = new Partition(id, Long.toUnsignedString(tabletIds.getAsLong()), parents, range);
        partitions.put(id, partition);
        return partition;
    }

    private Stream<Partition> actives() {
        return partitions.values().stream()
                .filter(partition -> partition.active)
                .sorted(Comparator.comparing(partition -> partition.range.lower()));
    }

    private Partition active(int id) {
        Partition partition = find(id);
        if (!partition.active) {
            throw new YdbException(
                    Status.BAD_REQUEST, "partition %d of %s was split or merged before".formatted(id, path));
        }
        return partition;
    }

    private Partition find(int id) {
        Partition partition = partitions.get(id);
        if (partition == null) {
            throw new YdbException(
                    Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, "topic %s has no partition %d".formatted(path, id)));
        }
        return partition;
    }

    private ConsumerOffsets consumer(String name) {
        ConsumerOffsets consumer = consumers.get(name);
        if (consumer == null) {
            throw new YdbException(
                    Status.BAD_REQUEST, "no read rule provided for consumer '%s' in topic %s".formatted(name, path));
        }
        return consumer;
    }

    private void checkAlive() {
        if (dropped) {
            throw new YdbException(Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, "topic %s was dropped".formatted(path)));
        }
    }

    /** Names of all consumers, in the order they came. */
    public synchronized Collection<String> consumerNames() {
        return List.copyOf(new ArrayList<>(consumers.keySet()));
    }
}
