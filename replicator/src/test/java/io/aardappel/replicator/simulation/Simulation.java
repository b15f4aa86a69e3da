package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.DecisionEvent;
import io.aardappel.replicator.engine.Decisions;
import io.aardappel.replicator.engine.Decisions.Question;
import io.aardappel.replicator.engine.Decisions.Verdict;
import io.aardappel.replicator.engine.Engine;
import io.aardappel.replicator.engine.EngineObserver;
import io.aardappel.replicator.engine.EngineSettings;
import io.aardappel.replicator.engine.Exit;
import io.aardappel.replicator.simulation.ModelTarget.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Two processes of one replication, a source and a destination, under faults; invariants are checked after each step. */
final class Simulation {
    private static final int PROCESSES = 2;
    /** Within this the checkpoint of a snapshot must rise, when nobody disturbs any more. */
    private static final long CALM_MILLIS = 60_000;
    /** Within this everything must be applied: little memory makes it slow, for what is dropped is read again. */
    private static final long LONGEST_CALM_MILLIS = 20 * CALM_MILLIS;

    private static final int TURNS = 100;

    /** What a run saw, to show that it was worth something; the fingerprint tells whether another took the same way. */
    record Outcome(
            long checkpoints,
            long crashes,
            long takeovers,
            long reshapes,
            long others,
            long decisions,
            long refusedConfigurations,
            long fatalErrors,
            long fingerprint) {
        static final Outcome NOTHING = new Outcome(0, 0, 0, 0, 0, 0, 0, 0, 0);

        /** Of two runs together. */
        Outcome plus(Outcome other) {
            return new Outcome(
                    checkpoints + other.checkpoints,
                    crashes + other.crashes,
                    takeovers + other.takeovers,
                    reshapes + other.reshapes,
                    others + other.others,
                    decisions + other.decisions,
                    refusedConfigurations + other.refusedConfigurations,
                    fatalErrors + other.fatalErrors,
                    fingerprint ^ other.fingerprint);
        }
    }

    private final Schedule schedule;
    private final Random random;
    private final Fault fault;
    private final Plan plan;
    private final List<StreamSpec> streams = new ArrayList<>();
    private final History history;
    private final ModelSource source;
    private final ModelDestination destination;
    private final Broker broker;
    private final Invariants invariants;
    private final Others others;
    private final @Nullable SimulatedProcess[] processes = new @Nullable SimulatedProcess[PROCESSES];
    private final Set<String> stoppedAt = new HashSet<>();
    private boolean calm;
    private int incarnations;
    private long crashes;
    private long reshapes;
    private long checkpoints;
    private long takeovers;
    private long refusedConfigurations;
    private long fatalErrors;
    private boolean repairing;
    /** History is lost, and that was said when nobody disturbed any more. */
    private boolean endedForGood;

    private String lastOwner = "";

    Simulation(long seed, Fault fault) {
        this.schedule = new Schedule(seed);
        this.random = schedule.random;
        this.fault = fault;
        this.plan = Plan.of(random, new Random(~seed));
        int count = plan.streams() + (plan.drift() ? 1 : 0);
        for (int i = 0; i < count; i++) {
            streams.add(new StreamSpec("topic" + i, "consumer", "table" + (plan.shared() ? 0 : i)));
        }
        this.history = new History(
                IntStream.range(0, count).map(i -> plan.shared() ? 0 : i).toArray());
        this.source = new ModelSource(schedule, plan, count, history);
        this.destination = new ModelDestination(
                streams.stream().map(StreamSpec::table).distinct().toList(),
                plan.stage(),
                plan.stage() == Stage.INITIAL_SCAN && plan.rare().moves() > 0);
        this.invariants = new Invariants(plan, source, history, destination, streams);
        this.broker = new Broker(source, invariants::committing);
        this.others = new Others(schedule, source, history, destination);
    }

    /** Runs to the end, or throws what does not hold. */
    Outcome run() {
        schedule.note("%s", plan);
        for (int slot = 0; slot < PROCESSES; slot++) {
            start(slot);
        }
        plan(source);
        while (schedule.millis() < plan.busyMillis()) {
            step();
        }
        calmDown();
        long movedAt = schedule.millis();
        while (!endedForGood && (!caughtUp() || invariants.undecided().isPresent())) {
            Position before = destination.checkpoint();
            step();
            boolean moved = destination.stage() != Stage.RUN || before.isBefore(destination.checkpoint());
            movedAt = moved ? schedule.millis() : movedAt;
            if (schedule.millis() > movedAt + CALM_MILLIS
                    || schedule.millis() > plan.busyMillis() + LONGEST_CALM_MILLIS) {
                throw new Violation(invariants
                        .undecided()
                        .filter(undecided -> caughtUp())
                        .orElse("I6: no progress: " + describe()));
            }
        }
        return new Outcome(
                checkpoints,
                crashes,
                takeovers,
                reshapes,
                others.acts(),
                destination.decisions(),
                refusedConfigurations,
                fatalErrors,
                schedule.fingerprint());
    }

    String lastSteps() {
        return schedule.lastSteps();
    }

    private void plan(ModelSource from) {
        every(plan.writeMillis(), from::write);
        every(30, () -> from.send(false));
        every(500, this::disturb);
        if (plan.reshapes()) {
            every(1_000, () -> reshapes += from.reshape() ? 1 : 0);
        }
        if (plan.rare().forgets()) {
            every(700, from::forget);
        }
        if (plan.rare().blocks()) {
            every(2_500, () -> others.changeBlockedKeys(streams.size(), plan.keys()));
            lookAtBlockedKeys();
        }
        if (plan.foreigners()) {
            every(100, others::moveOn);
        }
        if (plan.hands()) {
            every(1_500, others::lendAHand);
            if (plan.rare().unwanted() > 0) {
                every(2_500, others::repairDestination);
            }
        }
        if (plan.drift()) {
            every(4_000, others::removeMember);
        }
        for (int at = 1_000; plan.crashes() && at < plan.busyMillis(); at += 2_500) {
            schedule.afterMillis(at + schedule.someMillis(2_000), this::killInScan);
        }
    }

    private void every(int meanMillis, Runnable action) {
        schedule.afterMillis(schedule.someMillis(2 * meanMillis), () -> {
            if (!calm) {
                action.run();
                every(meanMillis, action);
            }
        });
    }

    private void lookAtBlockedKeys() {
        schedule.afterMillis(schedule.someMillis(200), () -> {
            for (SimulatedProcess process : processes) {
                if (process != null) {
                    process.target.lookAtBlockedKeys();
                }
            }
            lookAtBlockedKeys();
        });
    }

    private void calmDown() {
        calm = true;
        schedule.note("calm");
        for (SimulatedProcess process : processes) {
            if (process != null) {
                process.host.calm();
                process.target.calm();
            }
        }
        sendAll();
    }

    private void sendAll() {
        source.send(true);
        schedule.afterMillis(100, this::sendAll);
    }

    private void step() {
        schedule.runNext();
        if (!destination.owner().equals(lastOwner)) {
            lastOwner = destination.owner();
            takeovers++;
        }
        checkpoints += invariants.afterStep() ? 1 : 0;
        for (int slot = 0; slot < PROCESSES; slot++) {
            SimulatedProcess process = processes[slot];
            if (process != null) {
                work(process, slot);
            }
        }
    }

    private void work(SimulatedProcess process, int slot) {
        Host host = process.host;
        if (host.dead()) {
            crashes++;
            end(process, slot);
            return;
        }
        if (host.frozen() || schedule.nanos() < process.wakeAt && !host.takeMail()) {
            return;
        }
        int turns = 0;
        while (process.engine.doWork() > 0 && turns < TURNS) {
            turns++;
        }
        if (process.hasNews()) {
            invariants.status(process, schedule.millis());
        }
        Optional<Exit> exit = process.engine.exit();
        if (exit.isPresent()) {
            exit.get().problem().ifPresent(this::judge);
            end(process, slot);
            return;
        }
        long wait = host.virtual(process.engine.idleNanos());
        process.wakeAt = schedule.nanos() + wait;
        schedule.afterNanos(wait, () -> {});
    }

    /** Why a process ended must be something that was done to it. */
    private void judge(Problem problem) {
        schedule.note("a process ends: %s", problem.text());
        boolean expected = switch (problem.reason()) {
            case STREAM_MISSING, STREAM_NOT_MEMBER -> {
                refusedConfigurations++;
                yield plan.drift();
            }
            case LATE_RECORD, UNFIT_RECORD, OVERSIZED_POSITION -> {
                fatalErrors++;
                yield !stoppedAt.isEmpty();
            }
            case OFFSETS_MOVED -> {
                fatalErrors++;
                yield others.movedConsumers();
            }
            case HISTORY_LOST -> {
                fatalErrors++;
                endedForGood = calm;
                yield source.lostHistory();
            }
            case STATE_INVALID -> fatalErrors > 0 || !stoppedAt.isEmpty() || source.lostHistory();
            default -> false;
        };
        if (!expected) {
            throw new Violation("a process ended without need: " + problem.text());
        }
    }

    private boolean caughtUp() {
        return destination.stage() == Stage.RUN
                && destination.vouched()
                && source.last().isBefore(destination.checkpoint());
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        text.append("source at ").append(source.last()).append(", checkpoint ").append(destination.checkpoint());
        for (SimulatedProcess process : processes) {
            text.append("\n  ")
                    .append(process == null ? "down" : process.engine.status().toString());
        }
        return text.toString();
    }

    // ---- processes

    private void start(int slot) {
        String name = (slot == 0 ? "a" : "b") + ++incarnations;
        double rate = 0.99 + random.nextDouble() * 0.02;
        Host host = new Host(schedule, name, calm ? 0 : plan.crashPerCall(), rate);
        List<Integer> numbers = configuration();
        List<StreamSpec> configured = numbers.stream().map(streams::get).toList();
        Set<String> topics = configured.stream().map(StreamSpec::topic).collect(Collectors.toCollection(TreeSet::new));
        LeftOutKeys leftOut = new LeftOutKeys();
        ModelReader reader = reader(host, leftOut, numbers);
        ModelTarget target = target(host, leftOut, configured, topics);
        Engine.Ports ports = new Engine.Ports(reader, target, decisions(host, reader), host, EngineObserver.NONE);
        Engine engine =
                new Engine(settings(configured), ports, host.inbox, new Random(random.nextLong()), fault.rules());
        processes[slot] = new SimulatedProcess(host, engine, reader, target, topics, schedule.millis());
        schedule.note("process %s starts with streams %s", name, numbers);
    }

    /** The streams that a process is started with: the right ones, or at times others, in any order. */
    private List<Integer> configuration() {
        Set<String> members = destination.members();
        List<Integer> numbers = new ArrayList<>();
        for (int stream = 0; stream < streams.size(); stream++) {
            boolean right = members.isEmpty()
                    ? stream < plan.streams()
                    : members.contains(streams.get(stream).topic());
            if (right) {
                numbers.add(stream);
            }
        }
        if (plan.drift()) {
            int chosen = random.nextInt(streams.size());
            boolean drifts = !calm && random.nextInt(3) == 0;
            if (drifts && !numbers.contains(chosen)) {
                numbers.add(chosen);
            } else if (drifts && numbers.size() > 1) {
                numbers.remove((Integer) chosen);
            }
            Collections.shuffle(numbers, random);
        }
        return numbers;
    }

    private ModelReader reader(Host host, LeftOutKeys leftOut, List<Integer> numbers) {
        ModelReader.Parts parts = new ModelReader.Parts(
                schedule,
                source,
                broker,
                host,
                leftOut,
                numbers,
                Math.max(300, plan.memory() / 8),
                this::beforeSession);
        return switch (fault) {
            case OFFSETS_BEFORE_COMMIT, OFFSETS_PAST_THE_WITNESS, CHILD_COMMITTED_BEFORE_ITS_PARENT ->
                new FaultyReader(parts, fault, destination::checkpoint);
            default -> new ModelReader(parts);
        };
    }

    private void beforeSession(PartitionId partition) {
        boolean known = !plan.foreigners() && !plan.hands();
        if (!calm && known && schedule.chance(plan.rare().moves())) {
            others.moveConsumer(partition, streams.get(partition.stream()).topic());
        }
    }

    private ModelTarget target(Host host, LeftOutKeys leftOut, List<StreamSpec> configured, Set<String> topics) {
        ModelTarget.Check check = attempt -> landing(attempt, topics);
        double refusals = calm ? 0 : plan.refusals();
        return fault == Fault.NONE
                ? new ModelTarget(schedule, destination, host, leftOut, check, refusals)
                : new FaultyTarget(schedule, destination, host, leftOut, check, refusals, fault, configured);
    }

    private void landing(Attempt attempt, Set<String> topics) {
        invariants.landing(attempt, topics);
        history.leaveOut(attempt.leftOut());
        List<StreamRecord> applied = new ArrayList<>();
        for (DecisionRow row : attempt.batch().decisions()) {
            if (row.action().ofWholePosition()) {
                schedule.note("%s of position %s", row.action(), row.position());
            } else {
                schedule.note("%s of offset %s of %s/%s", row.action(), row.offset(), row.topic(), row.partition());
                int stream = Integer.parseInt(row.topic().substring("topic".length()));
                PartitionId partition = new PartitionId(stream, row.partition());
                if (row.action() == Action.APPLY) {
                    applied.add(source.part(partition).log.get((int) row.offset()));
                }
                source.decided(partition, row.offset(), row.action() == Action.APPLY, destination);
            }
            if (row.action() == Action.SKIP_ALL) {
                invariants.leavingOut(row.position());
                history.leftOut(row.position(), applied);
            }
        }
    }

    private EngineSettings settings(List<StreamSpec> configured) {
        return new EngineSettings(
                "sim",
                configured,
                Duration.ofMillis(Plan.INTERVAL_MILLIS),
                true,
                Duration.ofMillis(Plan.TTL_MILLIS),
                Duration.ofSeconds(55),
                plan.memory(),
                plan.bounds(),
                Duration.ofMillis(300),
                Duration.ofMinutes(10),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3),
                Duration.ofMillis(300));
    }

    /** Answers some time later, the same whoever asks; but at times the first who asks must stop. */
    private Decisions decisions(Host host, ModelReader reader) {
        return question -> {
            PartitionId partition = reader.known(question.partition());
            invariants.asked(partition, question.offset());
            Verdict verdict = verdict(partition, question);
            DecidedBy by = random.nextBoolean() ? DecidedBy.COMMAND : DecidedBy.STRATEGY;
            DecisionEvent answer = new DecisionEvent.Decided(question.partition(), question.offset(), verdict, by);
            if (host.mayCall()) {
                schedule.afterMillis(schedule.someMillis(200), () -> host.run(() -> host.deliver(host.inbox, answer)));
            }
        };
    }

    private Verdict verdict(PartitionId partition, Question question) {
        long offset = question.offset();
        boolean refused = source.mayBeRefused(partition, offset);
        boolean accepted = refused && random.nextInt(3) == 0;
        if (accepted) {
            schedule.note("a person makes the destination take offset %s of %s", offset, partition);
            question.each().forEach(one -> one.change().ifPresent(change -> destination.accept(change.columns())));
        }
        if (!calm && random.nextInt(10) == 0 && stoppedAt.add(partition + "@" + offset)) {
            return Verdict.STOP;
        }
        boolean byPlace = (partition.stream() + partition.partition() + offset) % 3 == 0;
        boolean skip = question.change().isEmpty() || (refused ? !accepted : byPlace);
        return skip ? Verdict.SKIP : Verdict.APPLY;
    }

    private void end(SimulatedProcess process, int slot) {
        process.host.kill();
        process.reader.close();
        process.target.close();
        processes[slot] = null;
        schedule.afterMillis(schedule.someMillis(2_000), () -> start(slot));
        if (!destination.stateOk() && !repairing) {
            repairing = true;
            schedule.afterMillis(schedule.someMillis(1_500), () -> {
                schedule.note("a person sets the state to OK");
                repairing = false;
                others.setConsumersBack(streams);
                destination.repaired();
            });
        }
    }

    // ---- disturbances

    private void kill(int slot) {
        SimulatedProcess process = processes[slot];
        if (process != null) {
            schedule.note("process %s is killed", process.host.name);
            process.host.kill();
        }
    }

    /** A scan's takeovers are the interesting ones: rows were applied that no checkpoint speaks of. */
    private void killInScan() {
        if (destination.stage() == Stage.INITIAL_SCAN) {
            for (int slot = 0; slot < PROCESSES; slot++) {
                kill(slot);
            }
        }
    }

    private void disturb() {
        int slot = random.nextInt(PROCESSES);
        SimulatedProcess process = processes[slot];
        if (process == null) {
            return;
        }
        switch (random.nextInt(plan.crashes() ? 9 : 5)) {
            case 0, 1 -> process.reader.cut();
            case 2 -> process.reader.slow(schedule.someMillis(4_000));
            case 3 -> {
                process.host.setClock();
                process.clockSetAt = schedule.millis();
            }
            case 5 -> kill(slot);
            case 6 -> {
                schedule.note("process %s freezes", process.host.name);
                process.host.freeze(schedule.someMillis(5_000));
            }
            case 7 -> {
                schedule.note("process %s is asked to stop", process.host.name);
                process.engine.requestStop();
            }
            default -> {
                // a quiet moment
            }
        }
    }
}
