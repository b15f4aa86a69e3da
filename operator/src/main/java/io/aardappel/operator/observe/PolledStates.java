package io.aardappel.operator.observe;

import io.aardappel.access.failure.Cause;
import io.aardappel.contract.TableName;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.resources.Identity;
import io.aardappel.operator.resources.PodLogin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * Asks every state table on a timer, each for all its instances at once, by a bounded number of threads. A database that is away
 * holds up nobody but the resources that are kept in it. What is asked for no more is forgotten. Thread-safe.
 */
public final class PolledStates implements StateBook, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolledStates.class);

    /** After so many periods without a question a resource is asked about no more. */
    private static final int PERIODS_KEPT = 30;

    /** As servers word it; the status beside it has no code of its own for this. */
    private static final Pattern NO_DATABASE =
            Pattern.compile("(?i)unknown database|database \\S+ (?:is )?(?:not found|unknown|does not exist)");

    /** Opens connections as the pods of a resource do. */
    @FunctionalInterface
    public interface Destinations {
        /**
         * A connection to the destination of a resource. May wait a few seconds.
         *
         * @throws RuntimeException when there is none; its message tells a person why
         */
        GrpcTransport open(Replication resource);
    }

    private final Destinations destinations;
    private final InstantSource clock;
    private final Duration period;
    private final PollListener listener;
    private final ScheduledExecutorService threads;
    /** When a table was last asked, or the first one came. */
    private final AtomicLong turned = new AtomicLong();

    private final Map<Place, Table> tables = new ConcurrentHashMap<>();

    /**
     * What is asked with one query: the same table, as the same identity.
     *
     * @param destination with everything that the resource says about it
     * @param account service account that logs in there; empty where the resource gives another login
     */
    private record Place(String namespace, Database destination, String stateTable, String account) {
        static Place of(Replication resource) {
            Database destination = resource.getSpec().destination();
            return new Place(
                    resource.getMetadata().getNamespace(),
                    destination,
                    resource.getSpec().stateTable(),
                    destination.auth().serviceAccountToken() == null ? "" : PodLogin.serviceAccount(resource));
        }
    }

    /**
     * Asks over connections of this kind.
     *
     * @param period how often each table is asked
     * @param threads how many are asked at a time
     */
    public PolledStates(Destinations destinations, InstantSource clock, Duration period, int threads) {
        this(destinations, clock, period, threads, (took, answered) -> {});
    }

    /**
     * Asks over connections of this kind, and tells how that went.
     *
     * @param period how often each table is asked
     * @param threads how many are asked at a time
     */
    public PolledStates(
            Destinations destinations, InstantSource clock, Duration period, int threads, PollListener listener) {
        this.destinations = destinations;
        this.clock = clock;
        this.period = period;
        this.listener = listener;
        this.threads = Executors.newScheduledThreadPool(threads, task -> {
            Thread made = new Thread(task, "state-tables");
            made.setDaemon(true);
            return made;
        });
    }

    @Override
    public StateSeen of(Replication resource) {
        Place place = Place.of(resource);
        Table table = tables.get(place);
        if (table == null) {
            if (tables.isEmpty()) {
                turned.set(System.nanoTime());
            }
            Table made = new Table(place, resource);
            table = tables.putIfAbsent(place, made);
            if (table == null) {
                table = made;
                made.of(Identity.of(resource).instanceId());
                made.begin();
            }
        }
        return table.of(Identity.of(resource).instanceId());
    }

    /** For how long no table has been asked, beyond the period; zero when there is none. */
    public Duration overdue() {
        Duration since = Duration.ofNanos(System.nanoTime() - turned.get()).minus(period);
        return tables.isEmpty() || since.isNegative() ? Duration.ZERO : since;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        tables.values().forEach(Table::disconnect);
    }

    /**
     * What is known of an instance.
     *
     * @param asked when somebody last wanted to know
     * @param row when it was last read, also where it cannot be read now
     */
    private record Entry(Instant asked, StateSeen seen, Optional<StateSeen.Row> row) {
        Entry askedAt(Instant now) {
            return new Entry(now, seen, row);
        }

        /** A checkpoint that is another one than last time has moved since; the first one that is seen may be old. */
        Entry read(StateSeen.@Nullable Row now, Instant at) {
            if (now == null) {
                return new Entry(asked, new StateSeen.Absent(), Optional.empty());
            }
            Optional<Instant> moved = row.flatMap(
                    last -> last.step() == now.step() && last.txId() == now.txId() ? last.movedAt() : Optional.of(at));
            StateSeen.Row placed = now.movedAt(moved);
            return new Entry(asked, placed, Optional.of(placed));
        }

        Entry unreadable(String why) {
            return new Entry(
                    asked,
                    new StateSeen.Unreachable(why, NO_DATABASE.matcher(why).find()),
                    row);
        }
    }

    /** One state table. Asked by one thread at a time. */
    private final class Table {
        private final Place place;
        private final Replication resource;
        private final Map<String, Entry> entries = new ConcurrentHashMap<>();
        private @Nullable DestinationRows rows;
        private @Nullable ScheduledFuture<?> turns;

        Table(Place place, Replication resource) {
            this.place = place;
            this.resource = resource;
        }

        synchronized void begin() {
            turns = threads.scheduleWithFixedDelay(this::poll, 0, period.toMillis(), TimeUnit.MILLISECONDS);
        }

        private synchronized void end() {
            disconnect();
            if (turns != null) {
                turns.cancel(false);
            }
        }

        StateSeen of(String instance) {
            Instant now = clock.instant();
            return entries.merge(
                            instance,
                            new Entry(now, new StateSeen.NotAsked(), Optional.empty()),
                            (known, unknown) -> known.askedAt(now))
                    .seen();
        }

        private void poll() {
            Instant limit = clock.instant().minus(period.multipliedBy(PERIODS_KEPT));
            entries.values().removeIf(entry -> entry.asked().isBefore(limit));
            if (entries.isEmpty() && tables.remove(place, this)) {
                end();
                return;
            }
            long began = System.nanoTime();
            boolean answered = false;
            try {
                ask();
                answered = true;
            } catch (RuntimeException failed) {
                disconnect();
                String why = Cause.of(failed);
                LOG.atDebug()
                        .addKeyValue("destination", Identity.place(place.destination()))
                        .addKeyValue("state_table", place.stateTable())
                        .log("the state table cannot be read: {}", why);
                entries.replaceAll((instance, known) -> known.unreadable(why));
            }
            long now = System.nanoTime();
            turned.set(now);
            listener.polled(Duration.ofNanos(now - began), answered);
        }

        private void ask() {
            Set<String> instances = Set.copyOf(entries.keySet());
            Map<String, StateSeen.Row> read = connected().read(instances);
            Instant now = clock.instant();
            for (String instance : instances) {
                entries.computeIfPresent(instance, (id, known) -> known.read(read.get(id), now));
            }
        }

        private synchronized DestinationRows connected() {
            DestinationRows open = rows;
            if (open == null) {
                open = new DestinationRows(destinations.open(resource), TableName.parse(place.stateTable()));
                rows = open;
            }
            return open;
        }

        private synchronized void disconnect() {
            DestinationRows open = rows;
            rows = null;
            if (open != null) {
                open.close();
            }
        }
    }
}
