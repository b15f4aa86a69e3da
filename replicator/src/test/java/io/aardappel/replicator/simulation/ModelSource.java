package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The source database as far as its changefeeds show it: transactions over tables, shards that send their changes late and
 * interleaved, barriers, an initial scan, partitions that split and merge, and records that break the barriers' promise.
 */
final class ModelSource {
    private static final int SLOTS = 64;

    /** A record in a topic. */
    private record Place(PartitionId partition, long offset) {}

    /** A partition of a topic: its offsets are the indexes of its log. */
    static final class Part {
        final long id;
        final int from;
        final int to;
        final List<Long> parents;
        final List<StreamRecord> log = new ArrayList<>();
        List<Long> children = List.of();
        boolean active = true;
        /** First offset that is kept. */
        long start;

        long committed;
        private long lastBarrier;

        Part(long id, int from, int to, List<Long> parents) {
            this.id = id;
            this.from = from;
            this.to = to;
            this.parents = parents;
        }

        boolean holds(int key) {
            int slot = Math.floorMod(key * 37, SLOTS);
            return from <= slot && slot < to;
        }

        PartitionInfo infoAsOf(PartitionInfo then) {
            return new PartitionInfo(id, then.active(), then.parents(), then.children(), start, log.size(), committed);
        }

        PartitionInfo info() {
            return new PartitionInfo(id, active, parents, children, start, log.size(), committed);
        }
    }

    /** A part of a table: sends its changes some time after they were made, to each partition in their order. */
    private static final class Shard {
        final Deque<Change> unsent = new ArrayDeque<>();
        final Deque<Change> unscanned = new ArrayDeque<>();

        /** The next change for the partition, absent when there is none. */
        Optional<Change> next(Part part) {
            for (Change change : unsent) {
                if (part.holds(History.number(change.key()))) {
                    return Optional.of(change);
                }
            }
            return Optional.empty();
        }
    }

    private static final class Topic {
        final List<Part> parts = new ArrayList<>();
        final List<Shard> shards = new ArrayList<>();
        List<PartitionInfo> before = List.of();
        long reshapedAt = Long.MIN_VALUE / 2;
    }

    private final Schedule schedule;
    private final Random random;
    private final Plan plan;
    private final History history;
    private final List<Topic> topics = new ArrayList<>();
    /** Records about which something must be decided, with the number of changes of the key that were sent before. */
    private final Map<Place, Integer> odd = new LinkedHashMap<>();

    private final Set<Place> excused = new HashSet<>();
    /** Keys of which a record came late while nothing says yet in which order a scan applies it. */
    private final Set<String> lateInScan = new HashSet<>();
    /** Changes sent so far, by stream and key. */
    private final int[][] sent;

    private boolean scanIsOver;
    private boolean lostHistory;
    /** Positions at which a change writes what the destination refuses. */
    private final Set<Position> unwanted = new HashSet<>();

    private Position last = new Position(1, 1);
    private int value;

    /** @param streams how many there are, those that are not configured at first included */
    ModelSource(Schedule schedule, Plan plan, int streams, History history) {
        this.schedule = schedule;
        this.random = schedule.random;
        this.plan = plan;
        this.history = history;
        this.sent = new int[streams][plan.keys()];
        this.scanIsOver = plan.stage() == Stage.RUN;
        for (int stream = 0; stream < streams; stream++) {
            Topic topic = new Topic();
            int count = plan.partitions();
            for (int i = 0; i < count; i++) {
                topic.parts.add(new Part(i, SLOTS * i / count, SLOTS * (i + 1) / count, List.of()));
            }
            topic.shards.add(new Shard());
            topic.shards.add(new Shard());
            topics.add(topic);
        }
        for (int stream = 0; plan.scanned() && stream < streams; stream++) {
            for (int key = 0; key < plan.keys(); key += 1 + random.nextInt(2)) {
                Change row = change(last, Operation.REPLACE, key);
                history.add(stream, row);
                shard(topics.get(stream), row.key()).unscanned.add(asScanned(row));
            }
        }
    }

    private static Change asScanned(Change row) {
        return new Change(row.position(), Operation.UPDATE, row.key(), row.columns(), row.bytes());
    }

    /** Whether the topics' partitions are still the first ones. */
    boolean original() {
        return topics.stream().allMatch(topic -> topic.parts.stream().allMatch(part -> part.active));
    }

    /** Commits every partition up to the first change at or above the position, barriers not minded. */
    void commitAllBelow(Position position) {
        for (Topic topic : topics) {
            for (Part part : topic.parts) {
                int offset = (int) part.committed;
                while (offset < part.log.size()
                        && !(part.log.get(offset) instanceof Change change
                                && !change.position().isBefore(position))) {
                    offset++;
                }
                part.committed = offset;
            }
        }
    }

    /** Whether {@link #commitAllBelow} leaves a committed offset in every partition. */
    boolean readableBelow(Position position) {
        return topics.stream()
                .flatMap(topic -> topic.parts.stream())
                .allMatch(part -> !part.log.isEmpty()
                        && !(part.log.get(0) instanceof Change change
                                && !change.position().isBefore(position)));
    }

    /** The position below which every partition of the first ones is complete. */
    Position complete() {
        long step = topics.stream()
                .flatMap(topic -> topic.parts.stream())
                .mapToLong(part -> part.lastBarrier)
                .min()
                .orElse(0);
        return new Position(step, 0);
    }

    /** What a description says. Which partitions there are may for a while be what was, their offsets are those of now. */
    List<PartitionInfo> describe(int stream) {
        Topic topic = topics.get(stream);
        boolean stale = schedule.millis() - topic.reshapedAt < 400 && random.nextBoolean();
        return stale
                ? topic.before.stream()
                        .map(then -> topic.parts.get((int) then.id()).infoAsOf(then))
                        .toList()
                : topic.parts.stream().map(Part::info).toList();
    }

    List<Part> parts(int stream) {
        return topics.get(stream).parts;
    }

    Part part(PartitionId id) {
        return topics.get(id.stream()).parts.get((int) id.partition());
    }

    Position last() {
        return last;
    }

    /** The highest value that was written so far, and its opposite the lowest that may have been. */
    int lastValue() {
        return value;
    }

    // ---- writes

    /** One transaction: several rows over the tables, or a single immediate write, which may share its position. */
    void write() {
        boolean immediate = random.nextInt(3) == 0;
        long step = Math.max(schedule.millis() + 1, last.step());
        if (immediate) {
            last = new Position(step, -1L);
        } else {
            boolean taken = step == last.step();
            last = taken && last.txId() == -1L
                    ? new Position(step + 1, 1)
                    : new Position(step, taken ? last.txId() + 1 : 1);
        }
        Set<String> touched = new LinkedHashSet<>();
        int rows = immediate ? 1 : 1 + random.nextInt(5);
        for (int i = 0; i < rows; i++) {
            int stream = random.nextInt(topics.size());
            int key = random.nextInt(plan.keys());
            if (touched.add(stream + "/" + key)) {
                Change change = wanted(change(last, operation(), key));
                history.add(stream, change);
                shard(topics.get(stream), change.key()).unsent.add(change);
            }
        }
    }

    private Operation operation() {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> Operation.ERASE;
            case 3 -> Operation.REPLACE;
            default -> Operation.UPDATE;
        };
    }

    private Change change(Position position, Operation operation, int key) {
        return new Change(position, operation, new Key(key), columns(operation), 100 + random.nextInt(50));
    }

    /** At times with a value that the destination refuses: one below zero. */
    private Change wanted(Change change) {
        @Nullable Object[] values = change.columns().values();
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Integer number
                    && schedule.chance(plan.rare().unwanted())) {
                values[i] = -number;
                unwanted.add(change.position());
            }
        }
        return change;
    }

    /** Whether the record is a change of a position that has more of them than the number. */
    boolean sharesWithMoreThan(int most, PartitionId partition, long offset) {
        return part(partition).log.get((int) offset) instanceof Change change && history.at(change.position()) > most;
    }

    /** Whether the record is a change that the destination may refuse, or one of the same position. */
    boolean mayBeRefused(PartitionId partition, long offset) {
        return part(partition).log.get((int) offset) instanceof Change change && unwanted.contains(change.position());
    }

    private Columns columns(Operation operation) {
        if (operation == Operation.ERASE) {
            return Columns.NONE;
        }
        int mask = operation == Operation.REPLACE ? (1 << History.COLUMNS) - 1 : random.nextInt(1 << History.COLUMNS);
        int[] ordinals = new int[Integer.bitCount(mask)];
        @Nullable Object[] values = new @Nullable Object[ordinals.length];
        int size = 0;
        for (int column = 0; column < History.COLUMNS; column++) {
            if ((mask & 1 << column) != 0) {
                ordinals[size] = column;
                values[size++] = random.nextInt(6) == 0 ? null : ++value;
            }
        }
        return new Columns(ordinals, values);
    }

    private static Shard shard(Topic topic, Key key) {
        return topic.shards.get(History.number(key) % topic.shards.size());
    }

    // ---- what the topics show

    /** Some shards send some of what they hold, some partitions emit a barrier. */
    void send(boolean everything) {
        for (int stream = 0; stream < topics.size(); stream++) {
            Topic topic = topics.get(stream);
            for (Shard shard : topic.shards) {
                int count = everything ? Integer.MAX_VALUE : random.nextInt(6);
                for (int i = 0; i < count && sendOne(stream, topic, shard); i++) {}
            }
            for (Part part : topic.parts) {
                if (part.active && (everything || random.nextInt(3) > 0)) {
                    barrier(stream, topic, part);
                }
                if (part.active && random.nextInt(100) == 0) {
                    part.log.add(random.nextBoolean() ? new Filtered(last) : new SchemaChange(last, 1, Map.of()));
                }
            }
        }
    }

    private boolean sendOne(int stream, Topic topic, Shard shard) {
        boolean scanNext = !shard.unscanned.isEmpty() && random.nextInt(plan.scanPace()) == 0;
        if (scanNext) {
            append(stream, topic, shard.unscanned.remove());
            return true;
        }
        Part ahead = topic.parts.get(random.nextInt(topic.parts.size()));
        Change change = shard.next(ahead).orElse(shard.unsent.peek());
        if (change == null) {
            return false;
        }
        shard.unsent.removeFirstOccurrence(change);
        shard.unscanned.stream()
                .filter(row -> row.key().equals(change.key()))
                .findFirst()
                .ifPresent(row -> {
                    shard.unscanned.remove(row);
                    append(stream, topic, row);
                });
        append(stream, topic, change);
        return true;
    }

    private void append(int stream, Topic topic, Change change) {
        sent[stream][History.number(change.key())]++;
        for (Part part : topic.parts) {
            if (part.active && part.holds(History.number(change.key()))) {
                part.log.add(change);
                return;
            }
        }
        throw new IllegalStateException("no partition for key " + change.key());
    }

    private void barrier(int stream, Topic topic, Part part) {
        long complete = schedule.millis();
        for (Shard shard : topic.shards) {
            if (!shard.unscanned.isEmpty()) {
                return;
            }
            complete = Math.min(
                    complete,
                    shard.next(part).map(next -> next.position().step()).orElse(complete));
        }
        long step = complete / plan.barrierMillis() * plan.barrierMillis();
        if (step > part.lastBarrier) {
            part.lastBarrier = step;
            part.log.add(new Barrier(new Position(step, 0)));
            if (plan.lateRecords() && random.nextInt(12) == 0) {
                sendOdd(stream, part);
            }
        } else if (part.lastBarrier > 0 && random.nextInt(50) == 0) {
            // one that repeats or goes back
            long back = random.nextInt(2) * (long) plan.barrierMillis();
            part.log.add(new Barrier(new Position(Math.max(1, part.lastBarrier - back), 0)));
        }
    }

    /** A record that comes after a barrier above it, or one that cannot become a change. */
    private void sendOdd(int stream, Part part) {
        int key = random.nextInt(plan.keys());
        if (!part.holds(key) || !scanIsOver && !lateInScan.add(stream + "/" + key)) {
            return;
        }
        odd.put(new Place(new PartitionId(stream, part.id), part.log.size()), sent[stream][key]);
        if (random.nextInt(5) == 0) {
            part.log.add(new Unfit(last, "[" + key + "]", "it does not fit"));
            return;
        }
        long step = Math.max(1, part.lastBarrier - 1 - random.nextInt(600));
        part.log.add(change(new Position(step, 1_000_000L + odd.size()), operation(), key));
    }

    /** Offsets of a partition about which something must be decided. */
    List<Long> oddOffsets(PartitionId partition) {
        return odd.keySet().stream()
                .filter(place -> place.partition().equals(partition))
                .map(Place::offset)
                .sorted()
                .toList();
    }

    /** Whether something must be decided about the record. */
    boolean isOdd(PartitionId partition, long offset) {
        return odd.containsKey(new Place(partition, offset));
    }

    /** What was decided about a record is carried out. */
    void decided(PartitionId partition, long offset, boolean applied, ModelDestination destination) {
        StreamRecord record = part(partition).log.get((int) offset);
        if (!isOdd(partition, offset)) {
            if (!applied && record instanceof Change change) {
                history.leftOut(partition.stream(), change, destination.mayHaveScanned(change.position()));
            }
            return;
        }
        if (!applied) {
            return;
        }
        if (!(record instanceof Change change)) {
            throw new Violation("I7: " + partition + " offset " + offset + " is applied, but is no change: " + record);
        }
        if (destination.stage() == Stage.RUN) {
            history.applied(partition.stream(), change, destination.checkpoint());
        } else {
            int arrival = odd.getOrDefault(new Place(partition, offset), 0);
            history.appliedInScan(new History.InScan(partition, offset, change, arrival, true));
        }
    }

    /**
     * A scan is over. What it came upon late may have been taken for in time: by a process that began to read behind the
     * barrier that says so.
     *
     * @param undecided whether nothing was decided about a record
     */
    void scanIsOver(BiPredicate<PartitionId, Long> undecided) {
        scanIsOver = true;
        odd.forEach((place, arrival) -> {
            StreamRecord record = part(place.partition()).log.get((int) place.offset());
            if (record instanceof Change change && undecided.test(place.partition(), place.offset())) {
                history.appliedInScan(new History.InScan(place.partition(), place.offset(), change, arrival, false));
                excused.add(place);
            }
        });
    }

    /** Whether it is right that nothing was decided about the record. */
    boolean isExcused(PartitionId partition, long offset) {
        boolean change = part(partition).log.get((int) offset) instanceof Change;
        return change && !scanIsOver || excused.contains(new Place(partition, offset));
    }

    /**
     * An active partition splits in two, or two that adjoin become one: rather those that have just spoken.
     *
     * @return whether there was one that could
     */
    boolean reshape() {
        Topic topic = topics.get(random.nextInt(topics.size()));
        List<Part> active = topic.parts.stream().filter(part -> part.active).toList();
        if (topic.parts.size() > 20) {
            return false;
        }
        Part one = active.get(random.nextInt(active.size()));
        Part other = active.get(random.nextInt(active.size()));
        Part chosen = one.lastBarrier < other.lastBarrier ? other : one;
        topic.before = topic.parts.stream().map(Part::info).toList();
        topic.reshapedAt = schedule.millis();
        return random.nextInt(5) < 2 ? split(topic, chosen) : merge(topic, chosen, active);
    }

    /** A partition forgets its oldest records, at times some that nobody has read. */
    void forget() {
        Topic topic = topics.get(random.nextInt(topics.size()));
        Part part = topic.parts.get(random.nextInt(topic.parts.size()));
        long start = Math.min(part.log.size(), part.committed - 20 + random.nextInt(60));
        if (start > part.start) {
            part.start = start;
            lostHistory |= start > part.committed;
            schedule.note("partition %s of topic%s keeps offsets from %s on", part.id, topics.indexOf(topic), start);
        }
    }

    /** Whether records were forgotten that were not committed. */
    boolean lostHistory() {
        return lostHistory;
    }

    private static boolean split(Topic topic, Part chosen) {
        if (chosen.to - chosen.from < 2) {
            return false;
        }
        int middle = (chosen.from + chosen.to) / 2;
        Part left = new Part(topic.parts.size(), chosen.from, middle, List.of(chosen.id));
        Part right = new Part(topic.parts.size() + 1, middle, chosen.to, List.of(chosen.id));
        close(List.of(chosen), List.of(left, right));
        topic.parts.add(left);
        topic.parts.add(right);
        return true;
    }

    private static boolean merge(Topic topic, Part chosen, List<Part> active) {
        Optional<Part> beside = active.stream()
                .filter(other -> other.from == chosen.to || other.to == chosen.from)
                .findFirst();
        if (beside.isEmpty()) {
            return split(topic, chosen);
        }
        Part next = beside.get();
        Part merged = new Part(
                topic.parts.size(),
                Math.min(chosen.from, next.from),
                Math.max(chosen.to, next.to),
                List.of(chosen.id, next.id));
        close(List.of(chosen, next), List.of(merged));
        topic.parts.add(merged);
        return true;
    }

    private static void close(List<Part> parents, List<Part> children) {
        for (Part parent : parents) {
            parent.active = false;
            parent.children = children.stream().map(child -> child.id).toList();
        }
    }
}
