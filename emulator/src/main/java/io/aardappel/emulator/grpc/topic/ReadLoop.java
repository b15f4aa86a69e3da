package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns all read streams and consumer groups. Whatever happens elsewhere (a message of a client, an append,
 * a commit) becomes a task here, so that nothing below needs a lock.
 */
final class ReadLoop implements TopicListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadLoop.class);

    private record Place(Topic topic, int partition) {}

    private record GroupKey(Topic topic, String consumer) {}

    private final ScheduledExecutorService thread;
    private final ReadFaults faults;
    private final Duration releaseWait;
    private final Set<ReadStream> streams = new LinkedHashSet<>();
    private final Map<GroupKey, ConsumerGroup> groups = new HashMap<>();
    private final Map<Place, Set<PartitionSession>> sessions = new HashMap<>();
    private final Map<Topic, Integer> watched = new HashMap<>();
    private final Map<Place, Long> silentUntilNanos = new HashMap<>();
    /** Filled by appending threads, emptied by the loop. */
    private final Set<Place> appended = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean wakeUpQueued = new AtomicBoolean();

    /**
     * @param thread runs the loop, one task at a time; ends with the loop
     * @param releaseWait how long a reader may take to give a partition back before it is taken from it
     */
    ReadLoop(ScheduledExecutorService thread, Faults faults, Duration releaseWait) {
        this.thread = thread;
        this.faults = new ReadFaults(faults);
        this.releaseWait = releaseWait;
    }

    /** A loop with a daemon thread of its own. */
    static ReadLoop start(Faults faults, Duration releaseWait) {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = new Thread(task, "topic-reads");
            created.setDaemon(true);
            return created;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return new ReadLoop(thread, faults, releaseWait);
    }

    ReadFaults faults() {
        return faults;
    }

    Duration releaseWait() {
        return releaseWait;
    }

    /** Runs the task on the loop's thread; dropped when the loop is closed. */
    void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.trace("read loop is closed", e);
        }
    }

    void schedule(Runnable task, long delayNanos) {
        try {
            ScheduledFuture<?> unused = thread.schedule(() -> run(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.trace("read loop is closed", e);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a task of the read loop failed; other streams go on", e);
        }
    }

    long nanos() {
        return System.nanoTime();
    }

    long millis() {
        return System.currentTimeMillis();
    }

    void opened(ReadStream stream) {
        streams.add(stream);
    }

    /** A stream with a checked init joins the groups of its topics. */
    void join(ReadStream stream, String consumer, List<TopicSelection> selections) {
        for (TopicSelection selection : selections) {
            watch(selection.topic());
        }
        for (TopicSelection selection : selections) {
            if (consumer.isEmpty()) {
                startWithoutConsumer(stream, selection);
            } else {
                groups.computeIfAbsent(
                                new GroupKey(selection.topic(), consumer),
                                key -> new ConsumerGroup(key.topic(), key.consumer()))
                        .join(stream, selection);
            }
        }
    }

    private static void startWithoutConsumer(ReadStream stream, TopicSelection selection) {
        List<PartitionInfo> wanted = selection.topic().partitions().stream()
                .filter(partition -> selection.accepts(partition.id()))
                .toList();
        wanted.forEach(partition -> stream.start(selection, partition, null));
    }

    /** A stream ended: what it held is free. */
    void left(ReadStream stream, List<TopicSelection> selections) {
        streams.remove(stream);
        for (ConsumerGroup group : List.copyOf(groups.values())) {
            group.leave(stream);
            if (group.isEmpty()) {
                groups.remove(new GroupKey(group.topic(), group.consumer()));
            }
        }
        selections.forEach(selection -> unwatch(selection.topic()));
    }

    private void watch(Topic topic) {
        if (watched.merge(topic, 1, Integer::sum) == 1) {
            topic.addListener(this);
        }
    }

    private void unwatch(Topic topic) {
        if (watched.merge(topic, -1, (count, less) -> count + less == 0 ? null : count + less) == null) {
            topic.removeListener(this);
        }
    }

    void added(PartitionSession session) {
        sessions.computeIfAbsent(new Place(session.topic(), session.partition), place -> new LinkedHashSet<>())
                .add(session);
    }

    void removed(PartitionSession session) {
        Place place = new Place(session.topic(), session.partition);
        Set<PartitionSession> readers = sessions.get(place);
        if (readers != null) {
            readers.remove(session);
            if (readers.isEmpty()) {
                sessions.remove(place);
            }
        }
    }

    /** Until when the partition hands out nothing, on {@link #nanos}; long past when it does. */
    long silentUntil(Topic topic, int partition) {
        return silentUntilNanos.getOrDefault(new Place(topic, partition), Long.MIN_VALUE);
    }

    void silence(Topic topic, int partition, Duration howLong) {
        silentUntilNanos.put(new Place(topic, partition), nanos() + howLong.toNanos());
    }

    @Override
    public void appended(Topic topic, int partition) {
        appended.add(new Place(topic, partition));
        if (wakeUpQueued.compareAndSet(false, true)) {
            execute(this::wakeReaders);
        }
    }

    private void wakeReaders() {
        wakeUpQueued.set(false);
        Set<ReadStream> woken = new LinkedHashSet<>();
        Iterator<Place> places = appended.iterator();
        while (places.hasNext()) {
            Place place = places.next();
            places.remove(); // before the read: what is appended later is announced anew
            for (PartitionSession session : sessions.getOrDefault(place, Set.of())) {
                session.stream.mayHaveData(session);
                woken.add(session.stream);
            }
        }
        woken.forEach(ReadStream::pump);
    }

    @Override
    public void committed(Topic topic, String consumer, int partition) {
        execute(() -> {
            ConsumerGroup group = groups.get(new GroupKey(topic, consumer));
            PartitionSession session = group == null ? null : group.owner(partition);
            if (group != null && session != null) {
                session.ranges.advance(topic.committed(consumer, partition));
            }
            if (group != null) {
                group.rebalance();
            }
        });
    }

    @Override
    public void reshaped(Topic topic) {
        execute(() -> {
            for (ReadStream stream : List.copyOf(streams)) {
                stream.topicChanged(topic);
            }
            groupsOf(topic).forEach(ConsumerGroup::rebalance);
        });
    }

    @Override
    public void dropped(Topic topic) {
        execute(() -> List.copyOf(streams).forEach(stream -> stream.topicDropped(topic)));
    }

    private List<ConsumerGroup> groupsOf(Topic topic) {
        return groups.values().stream().filter(group -> group.topic() == topic).toList();
    }

    /** Sessions that have the partition now, of all consumers. */
    List<PartitionSession> sessionsOf(Topic topic, int partition) {
        return new ArrayList<>(sessions.getOrDefault(new Place(topic, partition), Set.of()));
    }

    /** Does something to every stream that reads the topic. */
    void eachStream(Topic topic, Consumer<ReadStream> action) {
        Set<ReadStream> readers = new HashSet<>();
        for (ReadStream stream : streams) {
            if (stream.reads(topic)) {
                readers.add(stream);
            }
        }
        readers.forEach(action);
    }

    /** A consumer's offset was set from outside: the session that has the partition begins anew, unless it asked itself. */
    void restart(Topic topic, String consumer, int partition, String readSessionId) {
        ConsumerGroup group = groups.get(new GroupKey(topic, consumer));
        PartitionSession session = group == null ? null : group.owner(partition);
        if (session != null && !session.stream.sessionId().equals(readSessionId)) {
            session.stream.take(session);
        }
    }

    /** Who reads which partition for the consumer now. Called from any thread; waits for the loop, a second at most. */
    Map<Integer, ReaderInfo> readers(Topic topic, String consumer) {
        Map<Integer, ReaderInfo> readers = new HashMap<>();
        CountDownLatch done = new CountDownLatch(1);
        execute(() -> {
            ConsumerGroup group = groups.get(new GroupKey(topic, consumer));
            if (group != null) {
                group.sessions().forEach(session -> readers.put(session.partition, session.info()));
            }
            done.countDown();
        });
        try {
            return done.await(1, TimeUnit.SECONDS) ? readers : Map.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Map.of();
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
