package io.aardappel.e2e.snapshot;

import io.aardappel.e2e.snapshot.Replica.Snapshot;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.emulator.model.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.table.TableClient;

/**
 * One run of the snapshot property. A workload writes to the source; replicators of one instance carry it over; an
 * observer reads the replica again and again, and every value it sees must be the one that the source had at the
 * replica's checkpoint.
 */
final class SnapshotRun {
    private static final String SOURCE = "/source";
    private static final String DESTINATION = "/destination";
    private static final String INSTANCE = "snapshot";
    /** What all replicators of a run write to, in its directory. */
    static final String LOG = "replicator.log";

    private static final int KEYS_PER_TABLE = 450;
    /** A fault may break an observation off. */
    private static final int OBSERVATION_TRIES = 50;

    /** So many checkpoints while a process is frozen mean that another one is active. */
    private static final int PROGRESS_WITHOUT_IT = 10;

    private static final int KILLS_MAX = 4;
    /** Each costs the time that a start takes, in which no table may be altered. */
    private static final int KILLS_WITH_ALTERS = 2;

    /** How long a round takes at least: a pause of a few rounds is longer than a checkpoint takes. */
    private static final Duration ROUND = Duration.ofMillis(150);

    /** What happens beside the workload. */
    enum Kind {
        PLAIN,
        FAULTS,
        KILLS,
        /** Partitions and shards split and merge, records overtake each other, the active replicator is killed. */
        RESHAPES,
        /** The same, while commits fail or land late and streams are cut. */
        STORM,
        /**
         * Columns are added at both sides, in either order, and dropped; the active replicator is killed. Every second
         * seed has the faults of a storm too.
         */
        ALTERS;

        /**
         * Transactions of a round. Where a run waits for takeovers or columns it has more rounds than one that waits for
         * checkpoints alone; with as many in each, replicators would be at work on what had heaped up for most of its time.
         */
        int transactionsPerRound() {
            return switch (this) {
                case PLAIN, FAULTS, RESHAPES, STORM -> 20;
                case KILLS, ALTERS -> 12;
            };
        }

        boolean reshapes() {
            return this == RESHAPES || this == STORM;
        }

        FaultPlan faults(long seed) {
            return switch (this) {
                case FAULTS -> FaultPlan.random(new Random(seed));
                case STORM -> FaultPlan.ofCommitsAndStreams(new Random(seed));
                case ALTERS -> seed % 2 == 0 ? FaultPlan.ofCommitsAndStreams(new Random(seed)) : FaultPlan.NONE;
                case PLAIN, KILLS, RESHAPES -> FaultPlan.NONE;
            };
        }
    }

    /**
     * What runs as a replicator.
     *
     * @param main class with the entry point
     * @param systemProperties as {@code -Dname=value}
     */
    record Program(String main, List<String> systemProperties) {
        static final Program REPLICATOR = new Program("io.aardappel.replicator.app.Main", List.of());
    }

    /**
     * What a run found.
     *
     * @param alters ALTER statements at both sides
     * @param unmet what the run was to meet beside faults and did not, in words
     * @param differences of the first comparison that had some, empty when every comparison agreed
     */
    record Outcome(
            long seed,
            Kind kind,
            int transactions,
            int checkpoints,
            long rows,
            Map<Fault, Long> faults,
            Set<Fault> silentFaults,
            int kills,
            int freezes,
            int takeovers,
            int alters,
            List<String> unmet,
            List<String> differences) {
        @Override
        public String toString() {
            return "seed %d (%s): transactions %d, checkpoints %d, rows %d, faults fired %s, kills %d, freezes %d, takeovers %d, alters %d"
                    .formatted(
                            seed,
                            kind,
                            transactions,
                            checkpoints,
                            rows,
                            faults.isEmpty() ? "none" : faults,
                            kills,
                            freezes,
                            takeovers,
                            alters);
        }
    }

    private final long seed;
    private final Kind kind;
    private final Program program;
    private final int transactions;
    private final int checkpoints;
    private final Duration limit;
    private final Random random;

    private final Deque<ReplicatorProcess> replicators = new ArrayDeque<>();
    private final Set<String> owners = new HashSet<>();
    private int started;
    private int kills;
    private int freezes;
    private @Nullable ReplicatorProcess frozen;
    private @Nullable String ownerThen;
    private int frozenAt;
    private int compared;
    private long rows;
    private List<String> differences = List.of();
    private @Nullable Snapshot last;
    private @Nullable Reshaping reshaping;
    private @Nullable Alterations alterations;

    SnapshotRun(long seed, Kind kind, Program program, int transactions, int checkpoints, Duration limit) {
        this.seed = seed;
        this.kind = kind;
        this.program = program;
        this.transactions = transactions;
        this.checkpoints = checkpoints;
        this.limit = limit;
        this.random = new Random(seed);
    }

    Outcome run(Path directory) throws IOException {
        List<SourceTable> tables = SourceTable.random(random, 4, KEYS_PER_TABLE);
        FaultPlan plan = kind.faults(seed);
        try (YdbEmulator emulator = YdbEmulator.builder()
                        .database(SOURCE)
                        .database(DESTINATION)
                        .retainHistory()
                        .start();
                GrpcTransport source = GrpcTransport.forConnectionString(emulator.connectionString(SOURCE))
                        .build();
                GrpcTransport destination = GrpcTransport.forConnectionString(emulator.connectionString(DESTINATION))
                        .build();
                TableClient sourceTables = TableClient.newClient(source).build();
                TableClient destinationTables =
                        TableClient.newClient(destination).build();
                QueryClient queries = QueryClient.newClient(destination).build()) {
            TableColumns columns = new TableColumns(tables);
            Workload workload = new Workload(sourceTables, tables, columns, seed);
            SchemeStatements sourceScheme = new SchemeStatements(sourceTables);
            SchemeStatements destinationScheme = new SchemeStatements(destinationTables);
            createTables(tables, sourceScheme, destinationScheme, workload);
            Path config = directory.resolve("replicator.yaml");
            Files.writeString(config, configuration(emulator, tables));
            Path log = directory.resolve(LOG);
            SourceHistory history = new SourceHistory(emulator, SOURCE, columns);
            Replica replica = new Replica(queries, "state", INSTANCE, tables, columns);
            reshaping = kind.reshapes() ? new Reshaping(emulator, SOURCE, tables, seed) : null;
            alterations = kind == Kind.ALTERS
                    ? new Alterations(
                            sourceScheme, destinationScheme, tables, columns, history, new LogReading(log), seed)
                    : null;
            try {
                startReplicators(config, log);
                plan.begin(emulator);
                if (reshaping != null) {
                    reshaping.disorder();
                }
                work(workload, replica, history, config, log);
                plan.end(emulator);
                if (reshaping != null) {
                    reshaping.order();
                    System.out.println(reshaping);
                }
                settle(emulator, replica, history);
                if (alterations != null) {
                    System.out.println(alterations);
                }
                stop();
            } catch (ReplicatorEndedException e) {
                throw e.with("\nseed " + seed + ", log " + log + ":\n" + tail());
            } catch (IllegalStateException e) {
                throw new IllegalStateException(e.getMessage() + "\nseed " + seed + ", log " + log + ":\n" + tail(), e);
            } finally {
                replicators.forEach(ReplicatorProcess::close);
            }
            return new Outcome(
                    seed,
                    kind,
                    workload.committed(),
                    compared,
                    rows,
                    new TreeMap<>(emulator.faults().fired()),
                    plan.silent(emulator),
                    kills,
                    freezes,
                    Math.max(0, owners.size() - 1),
                    alterations == null ? 0 : alterations.fired(),
                    alterations == null ? List.of() : alterations.unmet(),
                    differences);
        }
    }

    private static void createTables(
            List<SourceTable> tables, SchemeStatements source, SchemeStatements destination, Workload workload) {
        for (SourceTable table : tables) {
            source.execute(table.createSource());
            destination.execute(table.createDestination());
            if (table.scanned()) {
                workload.fill(table);
            }
            source.execute(table.addChangefeed());
            source.execute(table.addConsumer());
        }
    }

    private String configuration(YdbEmulator emulator, List<SourceTable> tables) {
        StringBuilder yaml = new StringBuilder("""
                src_connection_string: "%s"
                src_static_token: "%s"
                dst_connection_string: "%s"
                dst_static_token: "%s"
                state_table: state
                instance_id: %s
                multiple_instances_mode: true
                max_expected_heartbeat_interval: 2
                log_level: debug
                replicator:
                  transaction_rows: 60
                  schema_wait: %ds
                streams:
                """.formatted(
                        emulator.connectionString(SOURCE),
                        KnownSecrets.secret("source-token"),
                        emulator.connectionString(DESTINATION),
                        KnownSecrets.secret("destination-token"),
                        INSTANCE,
                        Alterations.SCHEMA_WAIT.toSeconds()));
        for (SourceTable table : tables) {
            yaml.append("  - src_topic: ").append(table.name()).append("/feed\n");
            yaml.append("    consumer: replicator\n");
            yaml.append("    dst_table: ")
                    .append(DESTINATION)
                    .append('/')
                    .append(table.name())
                    .append('\n');
        }
        return yaml.toString();
    }

    private void startReplicators(Path config, Path log) {
        int count = kind == Kind.PLAIN ? 1 : 2;
        for (int i = 0; i < count; i++) {
            startReplicator(config, log);
        }
    }

    private void startReplicator(Path config, Path log) {
        replicators.addLast(ReplicatorProcess.start(program, config, log));
        started++;
    }

    /** Writes and observes in turn until enough of both has happened. */
    private void work(Workload workload, Replica replica, SourceHistory history, Path config, Path log) {
        long deadline = System.nanoTime() + limit.toNanos();
        int nextKill = 1 + random.nextInt(5);
        int fillers = workload.committed();
        while (workload.committed() - fillers < transactions
                || compared < checkpoints
                || (kind.reshapes() && kills < 2)
                || (alterations != null && (!alterations.isDone() || kills < 1))
                || (kind == Kind.KILLS && (kills < 2 || freezes < 1 || frozen != null))) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("%d transactions and %d compared checkpoints in %s; last seen %s"
                        .formatted(workload.committed(), compared, limit, last));
            }
            write(workload, fillers);
            if (reshaping != null) {
                reshaping.next();
            }
            observe(replica, history);
            if (!differences.isEmpty()) {
                return;
            }
            requireAlive(replica, history);
            thaw();
            if (alterations != null && last != null && last.isRun()) {
                alterations.next(last, started);
                if (replicators.size() < 2 && alterations.mayStart()) {
                    startReplicator(config, log);
                }
                if (compared >= nextKill
                        && kills < KILLS_WITH_ALTERS
                        && replicators.size() == 2
                        && alterations.haveStarted(started)) {
                    killOne();
                    nextKill = compared + 3 + random.nextInt(8);
                }
            }
            if (kind.reshapes() && compared >= nextKill && kills < KILLS_MAX) {
                killOne();
                startReplicator(config, log);
                nextKill = compared + 3 + random.nextInt(8);
            }
            if (kind == Kind.KILLS && frozen == null && compared >= nextKill && kills + freezes < KILLS_MAX) {
                if (kills > freezes) {
                    freezeOne();
                } else {
                    killOne();
                    startReplicator(config, log);
                }
                nextKill = compared + 3 + random.nextInt(8);
            }
        }
    }

    /** The transactions of one round, spread over its time. */
    private void write(Workload workload, int fillers) {
        long began = System.nanoTime();
        int count = kind.transactionsPerRound();
        for (int i = 1; i <= count; i++) {
            if (workload.committed() - fillers < transactions * 3) {
                workload.next();
            }
            LockSupport.parkNanos(began + ROUND.toNanos() * i / count - System.nanoTime());
        }
    }

    private void observe(Replica replica, SourceHistory history) {
        Snapshot seen = replica.snapshot(this::isNews);
        if (seen == null) {
            return;
        }
        owners.add(seen.owner());
        Snapshot before = last;
        if (before != null && before.isRun() && seen.isBefore(before)) {
            differences = List.of("the checkpoint went back", "from " + before + " to " + seen);
            return;
        }
        boolean news = isNews(seen);
        last = seen;
        if (news) {
            compare(seen, history);
        }
    }

    /** Whether it has a checkpoint that was not compared yet. */
    private boolean isNews(Snapshot seen) {
        return seen.isRun() && (last == null || !last.isRun() || last.isBefore(seen));
    }

    private void compare(Snapshot seen, SourceHistory history) {
        List<String> found = new ArrayList<>();
        seen.tables().forEach((table, mine) -> {
            Rows had = history.before(table, seen.step(), seen.txId());
            found.addAll(mine.differences(had));
            if (alterations != null) {
                alterations.compared(mine, had);
            }
        });
        compared++;
        rows += seen.rows();
        if (!found.isEmpty()) {
            found.add(0, "at checkpoint " + seen);
            differences = found;
        }
    }

    /** Waits until a checkpoint lies above everything that was written, and compares once more. */
    private void settle(YdbEmulator emulator, Replica replica, SourceHistory history) {
        if (!differences.isEmpty()) {
            return;
        }
        long end = history.now();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (last == null || !last.isRun() || Long.compareUnsigned(last.step(), end) <= 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "no checkpoint above " + end + " within 60 s after the workload; last seen " + last);
            }
            observe(replica, history);
            requireAlive(replica, history);
            if (!differences.isEmpty()) {
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    /** The oldest: it is the active one, as a rule. At a random moment within what it does for one transaction. */
    private void killOne() {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(300)).toNanos());
        ReplicatorProcess victim = replicators.removeFirst();
        victim.kill();
        kills++;
    }

    /** Stops the oldest without ending it: when it goes on, another holds the lock and it must not write. */
    private void freezeOne() {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(300)).toNanos());
        frozen = replicators.getFirst();
        ownerThen = last == null ? null : last.owner();
        frozenAt = compared;
        frozen.freeze();
        freezes++;
    }

    private void thaw() {
        ReplicatorProcess stopped = frozen;
        boolean takenOver = last != null && !last.owner().equals(ownerThen);
        boolean wasStandby = compared >= frozenAt + PROGRESS_WITHOUT_IT;
        if (stopped != null && (takenOver || wasStandby)) {
            stopped.thaw();
            frozen = null;
            replicators.addLast(replicators.removeFirst());
        }
    }

    /** A replicator that ends by itself fails the run; first of all for what it may have left behind. */
    private void requireAlive(Replica replica, SourceHistory history) {
        for (ReplicatorProcess replicator : replicators) {
            if (!replicator.alive()) {
                Snapshot left = null;
                for (int i = 0; i < OBSERVATION_TRIES && left == null; i++) {
                    left = replica.snapshot(Snapshot::isRun);
                }
                if (left != null && left.isRun()) {
                    compare(left, history);
                }
                if (differences.isEmpty()) {
                    throw new ReplicatorEndedException(replicator.exitCode());
                }
            }
        }
    }

    private void stop() {
        for (ReplicatorProcess replicator : replicators) {
            int code = replicator.terminate();
            if (code != 0 && differences.isEmpty()) {
                throw new IllegalStateException("a replicator that was asked to stop ended with code " + code);
            }
        }
    }

    private String tail() {
        return replicators.isEmpty() ? "" : replicators.getLast().tail();
    }
}
