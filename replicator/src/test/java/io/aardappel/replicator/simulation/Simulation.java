package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.TransactionBounds;
import io.aardappel.replicator.engine.ChangeSource;
import io.aardappel.replicator.engine.DecisionEvent;
import io.aardappel.replicator.engine.Decisions;
import io.aardappel.replicator.engine.Decisions.Verdict;
import io.aardappel.replicator.engine.Engine;
import io.aardappel.replicator.engine.EngineObserver;
import io.aardappel.replicator.engine.EngineSettings;
import io.aardappel.replicator.engine.Exit;
import io.aardappel.replicator.engine.Inbox;
import io.aardappel.replicator.engine.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Two processes of one replication, a source and a destination, under faults; invariants are checked after each step. */
final class Simulation {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final long TTL_MILLIS = 2_000;
    private static final long BUSY_MILLIS = 15_000;
    private static final long CALM_MILLIS = 60_000;

    /** What a run saw, to show that it was worth something. */
    record Outcome(int checkpoints, int crashes, int takeovers, int reshapes, int foreigners, int decisions) {}

    /** One running process. */
    private static final class Process {
        final Engine engine;
        final ModelReader reader;
        final ModelTarget target;
        long frozenUntil;

        Process(Engine engine, ModelReader reader, ModelTarget target) {
            this.engine = engine;
            this.reader = reader;
            this.target = target;
        }
    }

    private final Schedule schedule;
    private final Random random;
    private final Fault fault;
    private final double faultRate;
    private final boolean crashes;
    private final boolean reshapes;
    private final boolean quiet;
    private final boolean foreigners;
    private final long memory;
    private final TransactionBounds bounds;
    private final List<StreamSpec> streams = new ArrayList<>();
    private final ModelSource source;
    private final ModelDestination destination;
    private final ModelReader.Broker broker;
    private final @Nullable Process[] processes = new @Nullable Process[2];
    private boolean calm;
    private int incarnations;
    private int crashCount;
    private int reshapeCount;
    private int checkpointCount;
    private Position lastCheckpoint = Position.ZERO;
    private long checkedChanges;
    private String lastOwner = "";
    private int takeovers;
    private int foreignCount;

    Simulation(long seed, Fault fault) {
        this.schedule = new Schedule(seed);
        this.random = schedule.random;
        this.fault = fault;
        this.faultRate = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.3;
        this.crashes = random.nextInt(3) > 0;
        this.reshapes = random.nextBoolean();
        this.quiet = random.nextInt(4) == 0;
        this.memory = random.nextInt(3) == 0 ? 8_000 + random.nextInt(30_000) : 1L << 30;
        int target = 1 + random.nextInt(60);
        this.bounds = new TransactionBounds(target, 100L * target, 10_000, 10_000_000);
        int count = 1 + random.nextInt(3);
        boolean scan = random.nextBoolean();
        boolean shared = !scan && random.nextInt(3) == 0;
        boolean fromRun = shared || !scan && random.nextBoolean();
        this.foreigners = random.nextInt(3) == 0;
        for (int i = 0; i < count; i++) {
            streams.add(new StreamSpec("topic" + i, "consumer", "table" + (shared ? 0 : i)));
        }
        this.source = new ModelSource(
                schedule,
                count,
                shared,
                1 + random.nextInt(3),
                4 + random.nextInt(20),
                scan,
                1 + random.nextInt(quiet ? 30 : 4),
                random.nextInt(4) == 0 ? 4_000 : 200);
        this.destination = new ModelDestination(
                streams.stream().map(StreamSpec::table).distinct().toList(),
                fromRun ? Stage.RUN : Stage.INITIAL_SCAN,
                this::decided,
                fault == Fault.APPLY_TWICE);
        boolean late = fromRun && !foreigners && new Random(seed).nextInt(3) > 0;
        if (late) {
            source.sendLate();
        }
        this.broker = new ModelReader.Broker(this::checkCommit);
    }

    /** Runs to the end, or throws what does not hold. */
    Outcome run() {
        start(0);
        start(1);
        every(quiet ? 250 : 30, source::write);
        every(30, () -> source.send(false));
        every(700, this::disturb);
        if (foreigners) {
            every(100, this::foreigner);
        }
        for (int at = 1_000; crashes && at < 9_000; at += 2_500) {
            schedule.afterMillis(at + schedule.someMillis(2_000), this::killInScan);
        }
        while (schedule.millis() < BUSY_MILLIS) {
            step();
        }
        calm = true;
        schedule.note("calm");
        for (Process process : processes) {
            if (process != null) {
                process.frozenUntil = 0;
                process.target.calm();
            }
        }
        every(101, () -> source.send(true));
        while (!caughtUp()) {
            if (schedule.millis() > BUSY_MILLIS + CALM_MILLIS) {
                throw new Violation("no progress: " + describe());
            }
            step();
        }
        return new Outcome(checkpointCount, crashCount, takeovers, reshapeCount, foreignCount, destination.decisions());
    }

    String lastSteps() {
        return schedule.lastSteps();
    }

    private void every(int meanMillis, Runnable action) {
        schedule.afterMillis(schedule.someMillis(2 * meanMillis), () -> {
            if (!calm || meanMillis == 101) {
                action.run();
                every(meanMillis, action);
            }
        });
    }

    private void step() {
        schedule.runNext();
        check();
        for (int i = 0; i < processes.length; i++) {
            Process process = processes[i];
            if (process != null && schedule.millis() >= process.frozenUntil) {
                work(process, i);
            }
        }
    }

    private void work(Process process, int slot) {
        int turns = 0;
        while (process.engine.doWork() > 0 && turns < 100) {
            turns++;
        }
        Optional<Exit> exit = process.engine.exit();
        if (exit.isPresent()) {
            exit.get().problem().ifPresent(problem -> {
                throw new Violation("process ended: " + problem.text());
            });
            end(process, slot);
        }
    }

    private boolean caughtUp() {
        return destination.stage == Stage.RUN && source.last().isBefore(destination.checkpoint);
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        text.append("source at ").append(source.last()).append(", checkpoint ").append(destination.checkpoint);
        for (Process process : processes) {
            text.append("\n  ")
                    .append(process == null ? "down" : process.engine.status().toString());
        }
        return text.toString();
    }

    // ---- processes

    private void start(int slot) {
        String name = (slot == 0 ? "a" : "b") + ++incarnations;
        ModelReader reader = new ModelReader(schedule, source, broker, name, fault);
        ModelTarget target = new ModelTarget(schedule, destination, name, TTL_MILLIS, calm ? 0 : faultRate, fault);
        Inbox inbox = new Inbox();
        long skew = random.nextInt(7_200_000) - 3_600_000L;
        Ticker ticker = new Ticker() {
            @Override
            public long nanos() {
                return schedule.nanos();
            }

            @Override
            public long wallMillis() {
                return schedule.millis() + skew;
            }
        };
        ChangeSource port = reader;
        Decisions decisions = question -> {
            schedule.note(name + " asks about " + question.partition() + " offset " + question.offset() + " at "
                    + question.position());
            schedule.afterMillis(
                    schedule.someMillis(200),
                    () -> inbox.accept(new DecisionEvent.Decided(
                            question.partition(), question.offset(), verdict(question), DecidedBy.COMMAND)));
        };
        Engine.Ports ports = new Engine.Ports(port, target, decisions, ticker, EngineObserver.NONE);
        Engine engine = new Engine(settings(), ports, inbox, new Random(random.nextLong()), rules());
        processes[slot] = new Process(engine, reader, target);
        schedule.note("process " + name + " starts");
    }

    /** The same whoever asks. */
    private static Verdict verdict(Decisions.Question question) {
        long number = question.partition().stream() + question.partition().partition() + question.offset();
        return number % 3 == 0 ? Verdict.SKIP : Verdict.APPLY;
    }

    private void decided(DecisionRow row, Position checkpoint) {
        schedule.note(row.action() + " of " + row.position() + " at checkpoint " + checkpoint);
        int stream = Integer.parseInt(row.topic().substring("topic".length()));
        source.decided(stream, row.partition(), row.offset(), row.action() == Action.APPLY, checkpoint);
    }

    private EngineSettings settings() {
        return new EngineSettings(
                "sim",
                streams,
                INTERVAL,
                true,
                Duration.ofMillis(TTL_MILLIS),
                Duration.ofSeconds(55),
                memory,
                bounds,
                Duration.ofMillis(300),
                Duration.ofMinutes(10),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3),
                Duration.ofMillis(300));
    }

    private Rules rules() {
        return switch (fault) {
            case QUORUM_BY_MAXIMUM -> Rules.STANDARD.withQuorumOrder(Comparator.reverseOrder());
            case ERASE_THEN_UPDATE_IS_UPDATE -> Rules.STANDARD.withFold(Simulation::forgetsErase);
            case CUT_INSIDE_A_POSITION -> Rules.STANDARD.withBorder((before, after) -> true);
            case MAXIMUM_OVER_PARENTS ->
                Rules.STANDARD.withInherited((one, other) -> one.isBefore(other) ? other : one);
            case BUFFER_DROPPED_RESOLVED_KEPT -> Rules.STANDARD.withShed((spoken, lowest) -> spoken);
            default -> Rules.STANDARD;
        };
    }

    private static RowWrite forgetsErase(RowWrite first, RowWrite second) {
        RowWrite folded = Rules.STANDARD.fold().then(first, second);
        boolean forgets = first.operation() == Operation.ERASE && second.operation() == Operation.UPDATE;
        return forgets
                ? new RowWrite(folded.key(), Operation.UPDATE, folded.columns(), folded.source(), folded.position())
                : folded;
    }

    private void end(Process process, int slot) {
        process.reader.close();
        process.target.close();
        processes[slot] = null;
        schedule.afterMillis(schedule.someMillis(2_000), () -> start(slot));
    }

    /** Another program takes the lock, brings everything up to a later checkpoint, and knows nothing of our rows. */
    private void foreigner() {
        Position complete = source.complete();
        boolean free = destination.stage == Stage.RUN && schedule.millis() >= destination.deadline;
        if (free && source.original() && destination.vouched() && destination.checkpoint.isBefore(complete)) {
            schedule.note("another program moves the checkpoint to " + complete);
            foreignCount++;
            destination.moveTo(complete, source.asOf(complete));
            source.commitAllBelow(complete);
        }
    }

    private void kill(int slot) {
        Process process = processes[slot];
        if (process != null) {
            schedule.note("process " + slot + " is killed");
            crashCount++;
            end(process, slot);
        }
    }

    /** A scan's takeovers are the interesting ones: rows were applied that no checkpoint speaks of. */
    private void killInScan() {
        if (destination.stage == Stage.INITIAL_SCAN) {
            kill(0);
            kill(1);
        }
    }

    private void disturb() {
        int slot = random.nextInt(2);
        Process process = processes[slot];
        if (reshapes && random.nextInt(4) == 0) {
            source.reshape();
            reshapeCount++;
        }
        if (process == null) {
            return;
        }
        switch (random.nextInt(crashes ? 6 : 2)) {
            case 0, 1 -> process.reader.cut();
            case 2 -> kill(slot);
            case 3 -> {
                schedule.note("process " + slot + " freezes");
                process.frozenUntil = schedule.millis() + schedule.someMillis(5_000);
            }
            case 4 -> {
                schedule.note("process " + slot + " is asked to stop");
                process.engine.requestStop();
            }
            default -> {
                // a quiet moment
            }
        }
    }

    // ---- invariants

    private void check() {
        if (destination.changes == checkedChanges) {
            return;
        }
        checkedChanges = destination.changes;
        if (!destination.owner.equals(lastOwner)) {
            lastOwner = destination.owner;
            takeovers++;
        }
        if (destination.checkpoint.isBefore(lastCheckpoint)) {
            throw new Violation("checkpoint went back from " + lastCheckpoint + " to " + destination.checkpoint);
        }
        if (destination.stage == Stage.RUN && destination.vouched()) {
            compare();
            if (lastCheckpoint.isBefore(destination.checkpoint)) {
                checkpointCount++;
            }
        }
        lastCheckpoint = destination.checkpoint;
    }

    private void compare() {
        List<Map<Key, @Nullable Object[]>> wanted = source.asOf(destination.checkpoint);
        for (int i = 0; i < source.tables(); i++) {
            String table = "table" + i;
            Map<Key, @Nullable Object[]> found = destination.tables.get(table);
            if (found == null || !found.keySet().equals(wanted.get(i).keySet())) {
                throw new Violation("at %s %s has keys %s, the source had %s"
                        .formatted(
                                destination.checkpoint,
                                table,
                                found == null ? "none" : found.keySet(),
                                wanted.get(i).keySet()));
            }
            wanted.get(i).forEach((key, row) -> {
                if (!Arrays.equals(row, found.get(key))) {
                    throw new Violation("at %s row %s is %s, the source had %s"
                            .formatted(
                                    destination.checkpoint,
                                    key,
                                    Arrays.toString(found.get(key)),
                                    Arrays.toString(row)));
                }
            });
        }
    }

    /** Offsets follow data, never pass the witness, and a child's follow its parents'. */
    private void checkCommit(ModelReader.Broker.Committed commit) {
        PartitionId id = commit.partition();
        ModelSource.Part part = source.part(id.stream(), id.partition());
        for (long parent : part.parents) {
            ModelSource.Part before = source.part(id.stream(), parent);
            if (before.committed < before.log.size()) {
                throw new Violation(id + " commits before its parent " + parent + " is committed to its end");
            }
        }
        if (destination.stage != Stage.RUN || !destination.vouched()) {
            return;
        }
        for (long offset = 0; offset < commit.offset(); offset++) {
            StreamRecord record = part.log.get((int) offset);
            if (source.isLate(id.stream(), id.partition(), offset)) {
                String topic = streams.get(id.stream()).topic();
                if (!destination.wasDecided(topic, id.partition(), offset)) {
                    throw new Violation(id + " commits up to " + commit.offset() + " past the late record at " + offset
                            + ", about which nothing was decided");
                }
                continue;
            }
            if (record instanceof Change change && !change.position().isBefore(destination.checkpoint)) {
                throw new Violation(id + " commits up to " + commit.offset() + ", but offset " + offset + " at "
                        + change.position() + " is not applied at " + destination.checkpoint);
            }
            if (record instanceof Barrier barrier && !barrier.position().isBefore(destination.checkpoint)) {
                throw new Violation(id + " commits up to " + commit.offset() + " past its witness at " + offset);
            }
        }
    }
}
