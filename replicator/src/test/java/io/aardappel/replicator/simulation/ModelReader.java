package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.ChangeSource;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process's reader of the model's topics: late, cut at times, but always in order within a partition. */
final class ModelReader implements ChangeSource {
    private static final class Session {
        final long number;
        boolean confirmed;
        boolean endTold;
        long position;
        long requested;

        Session(long number) {
            this.number = number;
        }
    }

    private final Schedule schedule;
    private final ModelSource source;
    private final Broker broker;
    private final String name;
    private final Fault fault;
    private final Map<PartitionId, Session> sessions = new HashMap<>();
    private final Set<PartitionId> wanted = new HashSet<>();
    private final Set<PartitionId> parked = new HashSet<>();
    private @Nullable Consumer<Event> inbox;
    private long lastDelivery;
    private long lastRequest;
    private boolean dead;
    private long term;

    /** What all processes share: which reader has a partition, and the rules of committing. */
    static final class Broker {
        private final Map<PartitionId, ModelReader> readers = new HashMap<>();
        private final Consumer<Committed> check;
        private long sessions;

        /** A commit that the server took. */
        record Committed(PartitionId partition, long offset) {}

        /** @param check looks at every commit before it takes effect */
        Broker(Consumer<Committed> check) {
            this.check = check;
        }
    }

    ModelReader(Schedule schedule, ModelSource source, Broker broker, String name, Fault fault) {
        this.schedule = schedule;
        this.source = source;
        this.broker = broker;
        this.name = name;
        this.fault = fault;
    }

    @Override
    public void start(List<StreamSpec> streams, Consumer<Event> to) {
        inbox = to;
        term++;
        long mine = term;
        pump(mine);
    }

    @Override
    public void describe(int stream) {
        later(() -> tell(new SourceEvent.Described(stream, 1, schedule.millis(), source.describe(stream))));
    }

    @Override
    public void open(PartitionId partition) {
        wanted.add(partition);
        later(() -> begin(partition));
    }

    private void begin(PartitionId partition) {
        if (!wanted.contains(partition) || sessions.containsKey(partition)) {
            return;
        }
        ModelReader other = broker.readers.put(partition, this);
        if (other != null && other != this) {
            other.lose(partition, "taken by another reader");
        }
        ModelSource.Part part = source.part(partition.stream(), partition.partition());
        Session session = new Session(++broker.sessions);
        session.requested = part.committed;
        sessions.put(partition, session);
        tell(new SourceEvent.SessionStarted(partition, session.number, part.committed, 0, part.log.size()));
    }

    private void lose(PartitionId partition, String why) {
        Session session = sessions.remove(partition);
        if (session != null) {
            tell(new SourceEvent.SessionEnded(partition, session.number, why));
        }
        if (wanted.contains(partition)) {
            later(400, () -> begin(partition));
        }
    }

    /** A fault: a session breaks. */
    void cut() {
        List<PartitionId> open = new ArrayList<>(sessions.keySet());
        if (!open.isEmpty()) {
            open.sort(null);
            PartitionId victim = open.get(schedule.random.nextInt(open.size()));
            schedule.note(name + " loses its session of " + victim);
            lose(victim, "cut");
        }
    }

    @Override
    public void release(PartitionId partition) {
        wanted.remove(partition);
        sessions.remove(partition);
        broker.readers.remove(partition, this);
    }

    @Override
    public void confirm(PartitionId partition, long number, long readOffset) {
        later(() -> {
            Session session = sessions.get(partition);
            if (session != null && session.number == number) {
                session.position = readOffset;
                session.confirmed = true;
            }
        });
    }

    @Override
    public void reopen(PartitionId partition) {
        sessions.remove(partition);
        later(() -> begin(partition));
    }

    @Override
    public void taken(SourceEvent.Records records) {
        // the model's credit is its pump
    }

    @Override
    public void park(PartitionId partition) {
        parked.add(partition);
    }

    @Override
    public void resume(PartitionId partition) {
        parked.remove(partition);
    }

    @Override
    public void commit(PartitionId partition, long number, long from, long to) {
        Session session = sessions.get(partition);
        if (session == null || session.number != number) {
            return;
        }
        if (from != session.requested || to <= from) {
            throw new Violation(name + " commits [" + from + "," + to + ") of " + partition + " after "
                    + session.requested + " in one session");
        }
        session.requested = to;
        later(() -> {
            if (dead || sessions.get(partition) != session) {
                return;
            }
            long taken = planted(session, to);
            broker.check.accept(new Broker.Committed(partition, taken));
            source.part(partition.stream(), partition.partition()).committed = taken;
            later(() -> tell(new SourceEvent.OffsetsAcknowledged(partition, number, taken)));
        });
    }

    private long planted(Session session, long to) {
        return switch (fault) {
            case OFFSETS_PAST_WITNESS -> Math.min(to + 1, session.position);
            case OFFSETS_BEFORE_COMMIT -> session.position;
            default -> to;
        };
    }

    @Override
    public void stop() {
        term++;
        wanted.clear();
        parked.clear();
        sessions.keySet().forEach(partition -> broker.readers.remove(partition, this));
        sessions.clear();
    }

    @Override
    public void close() {
        stop();
        dead = true;
    }

    /** Delivers some of what there is, again and again. */
    private void pump(long ofTerm) {
        schedule.afterMillis(schedule.someMillis(40), () -> {
            if (dead || ofTerm != term) {
                return;
            }
            List<PartitionId> order = new ArrayList<>(sessions.keySet());
            order.sort(null);
            order.forEach(this::deliver);
            pump(ofTerm);
        });
    }

    private void deliver(PartitionId partition) {
        Session session = sessions.get(partition);
        if (session == null || !session.confirmed || parked.contains(partition) || schedule.chance(0.3)) {
            return;
        }
        ModelSource.Part part = source.part(partition.stream(), partition.partition());
        int end = (int) Math.min(part.log.size(), session.position + 1 + schedule.random.nextInt(20));
        int begin = (int) session.position;
        if (begin > 0 && schedule.chance(0.02)) {
            begin--;
        }
        if (begin < end) {
            List<StreamRecord> records = new ArrayList<>(part.log.subList(begin, end));
            long[] offsets = new long[records.size()];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = begin + i;
            }
            session.position = end;
            tell(new SourceEvent.Records(partition, session.number, offsets, records, end, records.size()));
        }
        if (!part.active && session.position == part.log.size() && !session.endTold) {
            session.endTold = true;
            tell(new SourceEvent.PartitionEnded(partition, session.number, part.children));
        }
    }

    private void later(Runnable action) {
        later(20, action);
    }

    /** Requests of one reader reach the server in their order. */
    private void later(int mostMillis, Runnable action) {
        long mine = term;
        long at = Math.max(lastRequest, schedule.nanos() + schedule.someMillis(mostMillis) * Schedule.MS);
        lastRequest = mostMillis > 20 ? lastRequest : at;
        schedule.afterNanos(at - schedule.nanos(), () -> {
            if (!dead && mine == term) {
                action.run();
            }
        });
    }

    /** Events of one reader arrive in their order, each some time after it happened. */
    private void tell(Event event) {
        Consumer<Event> to = inbox;
        if (to == null) {
            return;
        }
        long at = Math.max(lastDelivery, schedule.nanos() + schedule.someMillis(10) * Schedule.MS);
        lastDelivery = at;
        schedule.afterNanos(at - schedule.nanos(), () -> {
            if (!dead) {
                to.accept(event);
            }
        });
    }
}
