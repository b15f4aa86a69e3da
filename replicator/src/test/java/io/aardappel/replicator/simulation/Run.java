package io.aardappel.replicator.simulation;

import java.util.Optional;

/**
 * One schedule that was run.
 *
 * @param outcome absent when an invariant did not hold
 * @param failure seed, what did not hold and the last steps, absent when all held
 */
record Run(long seed, Optional<Simulation.Outcome> outcome, Optional<String> failure) {
    /** Longest description of what did not hold; it may name everything that an engine says of itself. */
    private static final int LONGEST = 3_000;

    static Run of(long seed, Fault fault) {
        Simulation simulation = new Simulation(seed, fault);
        try {
            return new Run(seed, Optional.of(simulation.run()), Optional.empty());
        } catch (RuntimeException broken) {
            String what = broken instanceof Violation ? String.valueOf(broken.getMessage()) : broken.toString();
            String shown = what.length() <= LONGEST ? what : what.substring(0, LONGEST) + "...";
            String text = "seed " + seed + ": " + shown + "\nthe last steps were:" + simulation.lastSteps();
            return new Run(seed, Optional.empty(), Optional.of(text));
        }
    }

    /** The first line of the failure, not too long. */
    String notice() {
        String line = failure.orElse("").lines().findFirst().orElse("");
        return line.length() <= 200 ? line : line.substring(0, 200) + "...";
    }
}
