package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The faults of one run, by seed. Each must strike at least once, or the run proves less than it says. */
final class FaultPlan {
    static final FaultPlan NONE = new FaultPlan(0, List.of());

    private final long seed;
    private final List<FaultRule> rules;

    private FaultPlan(long seed, List<FaultRule> rules) {
        this.seed = seed;
        this.rules = rules;
    }

    static FaultPlan random(Random random) {
        return plan(
                random,
                List.of(
                        commits(Fault.ABORTED, 0.05 + random.nextDouble() / 10),
                        commits(Fault.COMMIT_UNDETERMINED, 0.05 + random.nextDouble() / 10),
                        commits(Fault.COMMIT_LATE, 0.05).withDelay(Duration.ofMillis(50 + random.nextInt(1_500))),
                        commits(Fault.UNAVAILABLE, 0.03),
                        commits(Fault.OVERLOADED, 0.03),
                        commits(Fault.BAD_SESSION, 0.03),
                        reads(Fault.STREAM_CUT, 1_500 + random.nextInt(2_000)),
                        reads(Fault.PARTITION_MOVED, 1_000 + random.nextInt(2_000)),
                        reads(Fault.PARTITION_SILENT, 3_000)
                                .withDelay(Duration.ofMillis(1_000 + random.nextInt(1_500))),
                        FaultRule.of(Fault.NODE_RESTART)
                                .everyAtMost(Duration.ofMillis(4_000 + random.nextInt(4_000)))
                                .times(2)));
    }

    /** Of a destination that commits badly and a source that cuts streams, for runs in which more happens beside. */
    static FaultPlan ofCommitsAndStreams(Random random) {
        return plan(
                random,
                List.of(
                        commits(Fault.ABORTED, 0.05),
                        commits(Fault.COMMIT_UNDETERMINED, 0.05 + random.nextDouble() / 10),
                        commits(Fault.COMMIT_LATE, 0.05).withDelay(Duration.ofMillis(50 + random.nextInt(3_000))),
                        reads(Fault.STREAM_CUT, 1_000 + random.nextInt(1_500)),
                        reads(Fault.PARTITION_MOVED, 1_000 + random.nextInt(2_000))));
    }

    /** What strikes by chance also strikes once for certain, early: a slow run has few occasions. */
    private static FaultPlan plan(Random random, List<FaultRule> rules) {
        List<FaultRule> all = new ArrayList<>(rules);
        rules.stream()
                .filter(rule -> rule.probability() < 1)
                .map(rule ->
                        rule.withProbability(1).after(1 + random.nextInt(20)).times(1))
                .forEach(all::add);
        return new FaultPlan(random.nextLong(), all);
    }

    private static FaultRule commits(Fault fault, double probability) {
        return FaultRule.of(fault)
                .inDatabase("/destination")
                .during(Operation.COMMIT)
                .withProbability(probability);
    }

    private static FaultRule reads(Fault fault, int everyMillis) {
        return FaultRule.of(fault).inDatabase("/source").everyAtMost(Duration.ofMillis(everyMillis));
    }

    void begin(YdbEmulator emulator) {
        emulator.faults().reseed(seed);
        rules.forEach(emulator.faults()::add);
    }

    void end(YdbEmulator emulator) {
        emulator.faults().clear();
    }

    /** Configured faults that never struck. */
    Set<Fault> silent(YdbEmulator emulator) {
        Set<Fault> silent = EnumSet.noneOf(Fault.class);
        rules.stream()
                .map(FaultRule::fault)
                .filter(fault -> emulator.faults().fired(fault) == 0)
                .forEach(silent::add);
        return silent;
    }
}
