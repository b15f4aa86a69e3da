package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.ChangeSource;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import io.aardappel.replicator.simulation.ModelSource.Part;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process's reader of the model's topics: late, slow in some partitions, cut at times; in order within a partition, in
 * no order among them.
 */
class ModelReader implements ChangeSource {
    private static final int BARRIER_BYTES = 64;

    /** A read session of one partition. */
    static final class Session {
        final long number;
        boolean confirmed;
        boolean endTold;
        /** Next offset to be delivered. */
        long position;
        /** End of the offsets that the process asked to commit. */
        long requested;

        Session(long number) {
            this.number = number;
        }
    }

    final Schedule schedule;
    final Broker broker;
    private final ModelSource source;
    private final Host host;
    private final LeftOutKeys leftOut;
    private final List<Integer> numbers;
    private final long creditBytes;
    private final Consumer<PartitionId> beforeSession;
    private final Map<PartitionId, Session> sessions = new TreeMap<>();
    private final Set<PartitionId> wanted = new HashSet<>();
    private final Set<PartitionId> parked = new HashSet<>();
    private final Map<PartitionId, Long> slowUntil = new HashMap<>();
    private final Map<PartitionId, Long> lastTold = new HashMap<>();
    private final Map<PartitionId, Long> lastAsked = new HashMap<>();
    /** Credit of records that were delivered and not taken, by session. */
    private final Map<Long, Long> held = new HashMap<>();

    private @Nullable Consumer<Event> inbox;
    private long heldBytes;
    private long term;

    /**
     * What a reader needs.
     *
     * @param numbers of the source's streams, by index in the process's configuration
     * @param creditBytes how much may be delivered and not taken
     * @param beforeSession what others do before a session of the partition begins
     */
    record Parts(
            Schedule schedule,
            ModelSource source,
            Broker broker,
            Host host,
            LeftOutKeys leftOut,
            List<Integer> numbers,
            long creditBytes,
            Consumer<PartitionId> beforeSession) {}

    ModelReader(Parts parts) {
        this.schedule = parts.schedule();
        this.source = parts.source();
        this.broker = parts.broker();
        this.host = parts.host();
        this.leftOut = parts.leftOut();
        this.numbers = parts.numbers();
        this.creditBytes = parts.creditBytes();
        this.beforeSession = parts.beforeSession();
    }

    /** The partition as everybody knows it. */
    final PartitionId known(PartitionId ours) {
        return new PartitionId(numbers.get(ours.stream()), ours.partition());
    }

    private Part part(PartitionId ours) {
        return broker.part(known(ours));
    }

    @Override
    public void start(List<StreamSpec> streams, Consumer<Event> to) {
        inbox = to;
        term++;
        pump(term);
    }

    @Override
    public void describe(int stream) {
        if (host.mayCall()) {
            PartitionId topic = new PartitionId(stream, -1);
            later(topic, 20, () -> tell(topic, description(stream)));
        }
    }

    private Event description(int stream) {
        return new SourceEvent.Described(stream, 1, schedule.millis(), source.describe(numbers.get(stream)));
    }

    @Override
    public void open(PartitionId partition) {
        if (host.mayCall()) {
            wanted.add(partition);
            later(partition, 20, () -> begin(partition));
        }
    }

    private void begin(PartitionId partition) {
        if (!wanted.contains(partition) || sessions.containsKey(partition)) {
            return;
        }
        beforeSession.accept(known(partition));
        Session session = new Session(broker.begin(known(partition), this));
        Part part = part(partition);
        session.requested = part.committed;
        sessions.put(partition, session);
        tell(
                partition,
                new SourceEvent.SessionStarted(partition, session.number, part.committed, part.start, part.log.size()));
    }

    /** The session of a partition is over, whoever ended it. */
    final void lose(PartitionId known, String why) {
        for (PartitionId partition : List.copyOf(sessions.keySet())) {
            if (known(partition).equals(known)) {
                Session session = sessions.remove(partition);
                tell(partition, new SourceEvent.SessionEnded(partition, session.number, why));
                later(partition, 400, () -> begin(partition));
            }
        }
    }

    /** A session breaks. */
    void cut() {
        PartitionId victim = any();
        if (victim != null) {
            schedule.note("%s loses its session of %s", host.name, victim);
            lose(known(victim), "cut");
        }
    }

    /** A partition delivers nothing for some time. */
    void slow(long millis) {
        PartitionId victim = any();
        if (victim != null) {
            schedule.note("%s hears nothing of %s for %s ms", host.name, victim, millis);
            slowUntil.put(victim, schedule.millis() + millis);
        }
    }

    private @Nullable PartitionId any() {
        List<PartitionId> open = List.copyOf(sessions.keySet());
        return open.isEmpty() ? null : open.get(schedule.random.nextInt(open.size()));
    }

    @Override
    public void release(PartitionId partition) {
        if (host.mayCall()) {
            wanted.remove(partition);
            sessions.remove(partition);
            broker.end(known(partition), this);
        }
    }

    @Override
    public void confirm(PartitionId partition, long number, long readOffset) {
        if (host.mayCall()) {
            later(partition, 20, () -> {
                Session session = sessions.get(partition);
                if (session != null && session.number == number) {
                    session.position = readOffset;
                    session.confirmed = true;
                }
            });
        }
    }

    @Override
    public void reopen(PartitionId partition) {
        if (host.mayCall()) {
            sessions.remove(partition);
            later(partition, 20, () -> begin(partition));
        }
    }

    @Override
    public void taken(SourceEvent.Records records) {
        Long ofSession = held.get(records.session());
        if (ofSession != null) {
            held.put(records.session(), ofSession - records.credit());
            heldBytes -= records.credit();
        }
    }

    @Override
    public void park(PartitionId partition) {
        if (host.mayCall()) {
            parked.add(partition);
        }
    }

    @Override
    public void resume(PartitionId partition) {
        if (host.mayCall()) {
            parked.remove(partition);
        }
    }

    @Override
    public void commit(PartitionId partition, long number, long from, long to) {
        Session session = sessions.get(partition);
        if (!host.mayCall() || session == null || session.number != number) {
            return;
        }
        if (from != session.requested || to <= from) {
            throw new Violation("I4: %s commits [%d,%d) of %s after %d in one session"
                    .formatted(host.name, from, to, partition, session.requested));
        }
        session.requested = to;
        commit(partition, session, to);
    }

    /** The request is on its way; the answer comes when it was carried out. */
    void commit(PartitionId partition, Session session, long to) {
        later(partition, 20, () -> {
            if (commitAtOnce(partition, session, to)) {
                later(partition, 20, () -> acknowledge(partition, session, to));
            }
        });
    }

    /** Answers whether the session still had the partition. */
    final boolean commitAtOnce(PartitionId partition, Session session, long to) {
        boolean has = sessions.get(partition) == session;
        if (has) {
            broker.commit(known(partition), to);
        }
        return has;
    }

    final void acknowledge(PartitionId partition, Session session, long offset) {
        tell(partition, new SourceEvent.OffsetsAcknowledged(partition, session.number, offset));
    }

    final @Nullable Session session(PartitionId partition) {
        return sessions.get(partition);
    }

    @Override
    public void stop() {
        term++;
        wanted.clear();
        parked.clear();
        slowUntil.clear();
        held.clear();
        heldBytes = 0;
        sessions.keySet().forEach(partition -> broker.end(known(partition), this));
        sessions.clear();
    }

    @Override
    public void close() {
        stop();
    }

    /** Delivers some of what there is, again and again. */
    private void pump(long ofTerm) {
        schedule.afterMillis(schedule.someMillis(40), () -> {
            if (host.dead() || ofTerm != term) {
                return;
            }
            sessions.forEach(this::deliver);
            pump(ofTerm);
        });
    }

    private void deliver(PartitionId partition, Session session) {
        boolean slow = schedule.millis() < slowUntil.getOrDefault(partition, 0L);
        if (slow || !session.confirmed || parked.contains(partition) || schedule.chance(0.3)) {
            return;
        }
        Part part = part(partition);
        session.position = Math.max(session.position, part.start);
        int begin = (int) session.position;
        int end = Math.min(part.log.size(), begin + 1 + schedule.random.nextInt(20));
        if (begin > part.start && schedule.chance(0.02)) {
            begin--;
        }
        long credit = 0;
        int next = begin;
        while (next < end
                && (heldBytes == 0 && next == begin || heldBytes + credit + size(part, next) <= creditBytes)) {
            credit += size(part, next++);
        }
        if (begin < next) {
            deliver(partition, session, part, begin, next, credit);
        }
        if (!part.active && session.position == part.log.size() && !session.endTold) {
            session.endTold = true;
            tell(partition, new SourceEvent.PartitionEnded(partition, session.number, part.children));
        }
    }

    private void deliver(PartitionId partition, Session session, Part part, int begin, int end, long credit) {
        int stream = numbers.get(partition.stream());
        List<StreamRecord> records = part.log.subList(begin, end).stream()
                .map(record -> leftOut.seen(stream, record))
                .toList();
        long[] offsets = new long[records.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = begin + i;
        }
        session.position = Math.max(session.position, end);
        held.merge(session.number, credit, Long::sum);
        heldBytes += credit;
        tell(partition, new SourceEvent.Records(partition, session.number, offsets, records, end, credit));
    }

    private static int size(Part part, int offset) {
        return part.log.get(offset) instanceof Change change ? change.bytes() : BARRIER_BYTES;
    }

    /** Requests about one partition reach the server in their order. */
    final void later(PartitionId partition, int mostMillis, Runnable action) {
        long mine = term;
        long at = Math.max(
                lastAsked.getOrDefault(partition, 0L),
                schedule.nanos() + schedule.someMillis(mostMillis) * Schedule.MS);
        lastAsked.put(partition, at);
        schedule.afterNanos(at - schedule.nanos(), () -> {
            if (!host.dead() && mine == term) {
                action.run();
            }
        });
    }

    /** Events of one partition arrive in their order, each some time after it happened. */
    private void tell(PartitionId partition, Event event) {
        Consumer<Event> to = inbox;
        if (to == null) {
            return;
        }
        long at = Math.max(
                lastTold.getOrDefault(partition, 0L), schedule.nanos() + schedule.someMillis(10) * Schedule.MS);
        lastTold.put(partition, at);
        schedule.afterNanos(at - schedule.nanos(), () -> host.deliver(to, event));
    }
}
