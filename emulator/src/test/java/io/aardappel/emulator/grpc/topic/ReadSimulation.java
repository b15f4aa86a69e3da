package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.MessageData;

/** Readers, writers, splits and faults by one seed, without threads or transport; each step is followed by its checks. */
final class ReadSimulation implements AutoCloseable {
    static final String CONSUMER = "c";
    private static final int READERS_MAX = 4;
    private static final int PARTITIONS_MAX = 24;

    final TopicServer server = new TopicServer();
    final StepScheduler scheduler = new StepScheduler();
    final ReadLoop loop = new ReadLoop(scheduler, server.faults, Duration.ofSeconds(1));
    private final SplittableRandom random;
    private final Topic topic;
    private final List<SimulatedReader> readers = new ArrayList<>();
    private final Map<Integer, SimulatedReader> owners = new HashMap<>();
    private final Map<Integer, Set<Long>> delivered = new HashMap<>();
    private final Map<Integer, Long> committedBefore = new HashMap<>();
    private int written;

    ReadSimulation(long seed) {
        random = new SplittableRandom(seed);
        topic = server.create("t", 1 + random.nextInt(3), CONSUMER);
    }

    long end(int partition) {
        return topic.partition(partition).end();
    }

    // ---- what readers report

    void started(SimulatedReader reader, SimulatedReader.Session session) {
        SimulatedReader before = owners.put(session.partition, reader);
        assertThat(before)
                .as("partition %d has one reader at a time", session.partition)
                .isNull();
        for (int parent : topic.partition(session.partition).parents()) {
            boolean readHere = owners.get(parent) == reader && reader.supports() && deliveredAll(parent);
            assertThat(readHere || topic.isCommittedToEnd(CONSUMER, parent))
                    .as("partition %d waits for its parent %d", session.partition, parent)
                    .isTrue();
        }
    }

    private boolean deliveredAll(int partition) {
        return delivered.getOrDefault(partition, Set.of()).size() == end(partition);
    }

    void released(SimulatedReader reader, SimulatedReader.Session session) {
        owners.remove(session.partition, reader);
    }

    void delivered(SimulatedReader reader, int partition, MessageData message) {
        assertThat(owners.get(partition)).isSameAs(reader);
        delivered.computeIfAbsent(partition, id -> new HashSet<>()).add(message.getOffset());
    }

    // ---- steps

    void step() {
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> write();
            case 3, 4, 5 -> grant();
            case 6, 7 -> confirmOne();
            case 8, 9 -> commitOne();
            case 10 -> releaseOne();
            case 11 -> comeOrGo();
            case 12 -> reshape();
            default -> disturb();
        }
        scheduler.run();
        check();
    }

    private void write() {
        List<Integer> active = topic.activePartitions();
        int partition = active.get(random.nextInt(active.size()));
        int count = 1 + random.nextInt(20);
        TopicServer.fill(topic, partition, written, written + count);
        written += count;
    }

    private void grant() {
        if (!readers.isEmpty()) {
            anyReader().grant(1 + random.nextLong(3_000));
        }
    }

    private SimulatedReader anyReader() {
        return readers.get(random.nextInt(readers.size()));
    }

    private void confirmOne() {
        for (SimulatedReader reader : readers) {
            reader.sessions().forEach(session -> {
                if (random.nextBoolean() && !session.stopping) {
                    reader.confirm(session);
                }
            });
        }
    }

    private void commitOne() {
        for (SimulatedReader reader : readers) {
            reader.sessions().forEach(session -> {
                if (random.nextBoolean()) {
                    reader.commit(session, random);
                }
            });
        }
    }

    private void releaseOne() {
        readers.forEach(reader -> reader.sessions().forEach(reader::release));
    }

    private void comeOrGo() {
        if (readers.size() < READERS_MAX && (readers.isEmpty() || random.nextInt(3) > 0)) {
            boolean support = random.nextBoolean();
            readers.add(
                    random.nextInt(4) == 0
                            ? new SimulatedReader(this, support, anyPartition())
                            : new SimulatedReader(this, support));
        } else {
            readers.remove(random.nextInt(readers.size())).vanish();
        }
    }

    private int anyPartition() {
        return random.nextInt(topic.partitions().size());
    }

    private void reshape() {
        List<Integer> active = topic.activePartitions();
        int at = random.nextInt(active.size());
        if (at + 1 < active.size() && random.nextBoolean()) {
            topic.merge(active.get(at), active.get(at + 1));
        } else if (topic.partitions().size() < PARTITIONS_MAX) {
            topic.split(active.get(at), null);
        }
    }

    private void disturb() {
        if (random.nextBoolean()) {
            int partition = anyPartition();
            loop.sessionsOf(topic, partition).forEach(session -> session.stream.take(session));
        } else {
            scheduler.elapse();
        }
    }

    private void check() {
        assertThat(readers).as("no reader was turned away").noneMatch(SimulatedReader::ended);
        for (PartitionInfo partition : topic.partitions()) {
            long committed = topic.committed(CONSUMER, partition.id());
            assertThat(committed)
                    .as("committed offset of partition %d", partition.id())
                    .isGreaterThanOrEqualTo(committedBefore.getOrDefault(partition.id(), 0L));
            assertThat(delivered.getOrDefault(partition.id(), Set.of()).stream()
                            .filter(offset -> offset < committed)
                            .count())
                    .as("all below the committed offset of partition %d was delivered", partition.id())
                    .isEqualTo(committed);
            committedBefore.put(partition.id(), committed);
        }
    }

    /** One reader that takes all gets the rest, whatever happened before. */
    void finish() {
        while (!readers.isEmpty()) {
            readers.remove(0).vanish();
        }
        SimulatedReader last = new SimulatedReader(this, false);
        readers.add(last);
        last.grant(1 << 30);
        for (int round = 0; round < 2 * PARTITIONS_MAX; round++) {
            last.sessions().forEach(last::confirm);
            scheduler.run();
            last.sessions().forEach(session -> last.commitTo(session, session.next));
            scheduler.run();
        }
        for (PartitionInfo partition : topic.partitions()) {
            assertThat(topic.committed(CONSUMER, partition.id()))
                    .as("all of partition %d is read and committed in the end", partition.id())
                    .isEqualTo(partition.end());
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
