package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The source database as far as its changefeeds show it: transactions over tables, shards that send their changes late and
 * interleaved, barriers, an initial scan, partitions that split and merge. It remembers every change, so that it can say
 * what its tables were at any position.
 */
final class ModelSource {
    static final int COLUMNS = 4;
    private static final int SLOTS = 64;

    private record Historic(Position position, int stream, Change change) {}

    /** A record that came after a barrier above it. */
    private record LateRecord(int stream, long partition, long offset) {}

    /** A partition of a topic: its offsets are the indexes of its log. */
    static final class Part {
        final long id;
        final int from;
        final int to;
        final List<Long> parents;
        final List<StreamRecord> log = new ArrayList<>();
        List<Long> children = List.of();
        boolean active = true;
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

        PartitionInfo info() {
            return new PartitionInfo(id, active, parents, children, 0, log.size(), committed);
        }
    }

    private static final class Shard {
        final Deque<Change> unsent = new ArrayDeque<>();
        final Deque<Change> unscanned = new ArrayDeque<>();
    }

    private static final class Topic {
        final List<Part> parts = new ArrayList<>();
        final List<Shard> shards = new ArrayList<>();
        List<PartitionInfo> before = List.of();
        long reshapedAt = Long.MIN_VALUE / 2;
    }

    private final Schedule schedule;
    private final Random random;
    private final int keys;
    private final int scanPace;
    private final int barrierMillis;
    private final List<Topic> topics = new ArrayList<>();
    private final List<Historic> history = new ArrayList<>();
    private final List<Map<Key, @Nullable Object[]>> replayed = new ArrayList<>();
    private final List<Integer> tableOf = new ArrayList<>();
    private int replayedChanges;
    private final Set<LateRecord> late = new HashSet<>();
    private final Set<LateRecord> decided = new HashSet<>();
    private boolean sendsLate;
    private Position last = Position.ZERO;
    private int value;

    ModelSource(
            Schedule schedule,
            int streams,
            boolean shared,
            int partitions,
            int keys,
            boolean scan,
            int scanPace,
            int barrierMillis) {
        this.schedule = schedule;
        this.random = schedule.random;
        this.keys = keys;
        this.scanPace = scanPace;
        this.barrierMillis = barrierMillis;
        for (int stream = 0; stream < streams; stream++) {
            Topic topic = new Topic();
            for (int i = 0; i < partitions; i++) {
                topic.parts.add(new Part(i, SLOTS * i / partitions, SLOTS * (i + 1) / partitions, List.of()));
            }
            topic.shards.add(new Shard());
            topic.shards.add(new Shard());
            topics.add(topic);
            tableOf.add(shared ? 0 : stream);
            if (tableOf.get(stream) == replayed.size()) {
                replayed.add(new TreeMap<>(ModelSource::byNumber));
            }
        }
        last = new Position(1, 1);
        for (int stream = 0; scan && stream < streams; stream++) {
            for (int key = 0; key < keys; key += 1 + random.nextInt(2)) {
                Change row = change(last, Operation.REPLACE, key);
                history.add(new Historic(last, stream, row));
                shard(topics.get(stream), row.key()).unscanned.add(asScanned(row));
            }
        }
    }

    static int byNumber(Key one, Key other) {
        return Integer.compare(number(one), number(other));
    }

    private static int number(Key key) {
        return key.part(0) instanceof Integer number ? number : 0;
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

    /** The position below which every partition of the first ones is complete. */
    Position complete() {
        long step = topics.stream()
                .flatMap(topic -> topic.parts.stream())
                .mapToLong(part -> part.lastBarrier)
                .min()
                .orElse(0);
        return new Position(step, 0);
    }

    /** What a description says, which for a while may be what was. */
    List<PartitionInfo> describe(int stream) {
        Topic topic = topics.get(stream);
        boolean stale = schedule.millis() - topic.reshapedAt < 400 && random.nextBoolean();
        return stale ? topic.before : topic.parts.stream().map(Part::info).toList();
    }

    int tables() {
        return replayed.size();
    }

    List<Part> parts(int stream) {
        return topics.get(stream).parts;
    }

    Part part(int stream, long id) {
        return topics.get(stream).parts.get((int) id);
    }

    Position last() {
        return last;
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
            int key = random.nextInt(keys);
            if (touched.add(stream + "/" + key)) {
                Change change = change(last, operation(), key);
                history.add(new Historic(last, stream, change));
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

    private Columns columns(Operation operation) {
        if (operation == Operation.ERASE) {
            return Columns.NONE;
        }
        int mask = operation == Operation.REPLACE ? (1 << COLUMNS) - 1 : random.nextInt(1 << COLUMNS);
        int[] ordinals = new int[Integer.bitCount(mask)];
        @Nullable Object[] values = new @Nullable Object[ordinals.length];
        int size = 0;
        for (int column = 0; column < COLUMNS; column++) {
            if ((mask & 1 << column) != 0) {
                ordinals[size] = column;
                values[size++] = random.nextInt(6) == 0 ? null : ++value;
            }
        }
        return new Columns(ordinals, values);
    }

    private static Shard shard(Topic topic, Key key) {
        return topic.shards.get(number(key) % topic.shards.size());
    }

    // ---- what the topics show

    /** Some shards send some of what they hold, some partitions emit a barrier. */
    void send(boolean everything) {
        for (Topic topic : topics) {
            for (Shard shard : topic.shards) {
                int count = everything ? Integer.MAX_VALUE : random.nextInt(6);
                for (int i = 0; i < count && sendOne(topic, shard); i++) {}
            }
            for (Part part : topic.parts) {
                if (part.active && (everything || random.nextInt(3) > 0)) {
                    barrier(topic, part);
                }
            }
        }
    }

    private boolean sendOne(Topic topic, Shard shard) {
        boolean scanNext = !shard.unscanned.isEmpty() && random.nextInt(scanPace) == 0;
        if (scanNext) {
            append(topic, shard.unscanned.remove());
            return true;
        }
        Change change = shard.unsent.poll();
        if (change == null) {
            return false;
        }
        shard.unscanned.stream()
                .filter(row -> row.key().equals(change.key()))
                .findFirst()
                .ifPresent(row -> {
                    shard.unscanned.remove(row);
                    append(topic, row);
                });
        append(topic, change);
        return true;
    }

    private static void append(Topic topic, Change change) {
        for (Part part : topic.parts) {
            if (part.active && part.holds(number(change.key()))) {
                part.log.add(change);
                return;
            }
        }
        throw new IllegalStateException("no partition for key " + change.key());
    }

    private void barrier(Topic topic, Part part) {
        long complete = schedule.millis();
        for (Shard shard : topic.shards) {
            if (!shard.unscanned.isEmpty()) {
                return;
            }
            if (!shard.unsent.isEmpty()) {
                complete = Math.min(complete, shard.unsent.element().position().step());
            }
        }
        long step = complete / barrierMillis * barrierMillis;
        if (step > part.lastBarrier) {
            part.lastBarrier = step;
            part.log.add(new Barrier(new Position(step, 0)));
            if (sendsLate && random.nextInt(12) == 0) {
                sendLate(topic, part);
            }
        } else if (random.nextInt(50) == 0 && part.lastBarrier > 0) {
            part.log.add(new Barrier(new Position(part.lastBarrier, 0)));
        }
    }

    /** From now on some records come after a barrier above them. */
    void sendLate() {
        sendsLate = true;
    }

    private void sendLate(Topic topic, Part part) {
        int key = random.nextInt(keys);
        if (!part.holds(key)) {
            return;
        }
        long step = Math.max(1, part.lastBarrier - 1 - random.nextInt(600));
        Change change = change(new Position(step, 1_000_000L + late.size()), operation(), key);
        late.add(new LateRecord(topics.indexOf(topic), part.id, part.log.size()));
        part.log.add(change);
    }

    boolean isLate(int stream, long partition, long offset) {
        return late.contains(new LateRecord(stream, partition, offset));
    }

    /**
     * What was decided about a late record is carried out, the first time that it says so. One above the checkpoint is as
     * good as in time; another counts from now on.
     */
    void decided(int stream, long partition, long offset, boolean applied, Position checkpoint) {
        if (!decided.add(new LateRecord(stream, partition, offset)) || !applied) {
            return;
        }
        Change change = (Change) part(stream, partition).log.get((int) offset);
        if (change.position().isBefore(checkpoint)) {
            apply(asOf(checkpoint).get(tableOf.get(stream)), change.operation(), change.key(), change.columns());
            return;
        }
        int place = replayedChanges;
        while (place < history.size()
                && !change.position().isBefore(history.get(place).position())) {
            place++;
        }
        history.add(place, new Historic(change.position(), stream, change));
    }

    /** An active partition splits in two, or two that adjoin become one. */
    void reshape() {
        Topic topic = topics.get(random.nextInt(topics.size()));
        List<Part> active = topic.parts.stream().filter(part -> part.active).toList();
        if (topic.parts.size() > 20) {
            return;
        }
        Part chosen = active.get(random.nextInt(active.size()));
        topic.before = topic.parts.stream().map(Part::info).toList();
        topic.reshapedAt = schedule.millis();
        if (random.nextBoolean() && chosen.to - chosen.from > 1) {
            int middle = (chosen.from + chosen.to) / 2;
            Part left = new Part(topic.parts.size(), chosen.from, middle, List.of(chosen.id));
            Part right = new Part(topic.parts.size() + 1, middle, chosen.to, List.of(chosen.id));
            close(List.of(chosen), List.of(left, right));
            topic.parts.add(left);
            topic.parts.add(right);
            return;
        }
        active.stream().filter(other -> other.from == chosen.to).findFirst().ifPresent(next -> {
            Part merged = new Part(topic.parts.size(), chosen.from, next.to, List.of(chosen.id, next.id));
            close(List.of(chosen, next), List.of(merged));
            topic.parts.add(merged);
        });
    }

    private static void close(List<Part> parents, List<Part> children) {
        for (Part parent : parents) {
            parent.active = false;
            parent.children = children.stream().map(child -> child.id).toList();
        }
    }

    // ---- what the tables were

    /** The tables with all changes below the position. Positions asked for must not fall. */
    List<Map<Key, @Nullable Object[]>> asOf(Position position) {
        int end = replayedChanges;
        while (end < history.size() && history.get(end).position().isBefore(position)) {
            end++;
        }
        // changes of one position are ordered by topic, as they must be when two streams write one table
        List<Historic> next = new ArrayList<>(history.subList(replayedChanges, end));
        next.sort(Comparator.comparing(Historic::position).thenComparing(Historic::stream));
        replayedChanges = end;
        for (Historic one : next) {
            Change change = one.change();
            apply(replayed.get(tableOf.get(one.stream())), change.operation(), change.key(), change.columns());
        }
        return replayed;
    }

    /** What a change does to a table, said as plainly as possible. */
    static void apply(Map<Key, @Nullable Object[]> table, Operation operation, Key key, Columns columns) {
        if (operation == Operation.ERASE) {
            table.remove(key);
            return;
        }
        @Nullable Object[] old = operation == Operation.UPDATE ? table.get(key) : null;
        @Nullable Object[] row = old == null ? new @Nullable Object[COLUMNS] : old.clone();
        for (int i = 0; i < columns.ordinals().length; i++) {
            row[columns.ordinals()[i]] = columns.values()[i];
        }
        table.put(key, row);
    }
}
