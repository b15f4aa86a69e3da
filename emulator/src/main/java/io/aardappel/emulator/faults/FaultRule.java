package io.aardappel.emulator.faults;

import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When and where a fault strikes. Immutable; begin with {@link #of} and narrow it down.
 *
 * @param database only there, null for everywhere
 * @param path absolute path: only there and below, null for everywhere
 * @param operations only these, empty for all that the fault can meet
 * @param partition only that topic partition, -1 for all
 * @param skip how many matching occasions pass before the first strike
 * @param count how often it strikes at most, 0 for no limit
 * @param probability of a strike at a matching occasion, above 0 and up to 1
 * @param spacing least time between two strikes, also before the first
 * @param delay as {@link Fault} says
 * @param amount as {@link Fault} says
 */
public record FaultRule(
        Fault fault,
        @Nullable String database,
        @Nullable String path,
        Set<Operation> operations,
        int partition,
        long skip,
        long count,
        double probability,
        Duration spacing,
        Duration delay,
        long amount) {
    public FaultRule {
        operations = Set.copyOf(operations);
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability must be above 0 and at most 1, was " + probability);
        }
        if (skip < 0 || count < 0 || amount < 0 || spacing.isNegative() || delay.isNegative()) {
            throw new IllegalArgumentException("skip, count, amount, spacing and delay must not be negative");
        }
    }

    /** Strikes at every occasion, everywhere, with a delay of one second and an amount of 1,000 where the fault has them. */
    public static FaultRule of(Fault fault) {
        return new FaultRule(fault, null, null, Set.of(), -1, 0, 0, 1, Duration.ZERO, Duration.ofSeconds(1), 1_000);
    }

    public FaultRule inDatabase(String only) {
        return new FaultRule(
                fault, only, path, operations, partition, skip, count, probability, spacing, delay, amount);
    }

    public FaultRule at(String only) {
        return new FaultRule(
                fault, database, only, operations, partition, skip, count, probability, spacing, delay, amount);
    }

    public FaultRule during(Operation... only) {
        return new FaultRule(
                fault, database, path, Set.of(only), partition, skip, count, probability, spacing, delay, amount);
    }

    public FaultRule inPartition(int only) {
        return new FaultRule(fault, database, path, operations, only, skip, count, probability, spacing, delay, amount);
    }

    public FaultRule after(long occasions) {
        return new FaultRule(
                fault, database, path, operations, partition, occasions, count, probability, spacing, delay, amount);
    }

    public FaultRule times(long most) {
        return new FaultRule(
                fault, database, path, operations, partition, skip, most, probability, spacing, delay, amount);
    }

    public FaultRule withProbability(double each) {
        return new FaultRule(fault, database, path, operations, partition, skip, count, each, spacing, delay, amount);
    }

    public FaultRule everyAtMost(Duration least) {
        return new FaultRule(
                fault, database, path, operations, partition, skip, count, probability, least, delay, amount);
    }

    public FaultRule withDelay(Duration value) {
        return new FaultRule(
                fault, database, path, operations, partition, skip, count, probability, spacing, value, amount);
    }

    public FaultRule withAmount(long value) {
        return new FaultRule(
                fault, database, path, operations, partition, skip, count, probability, spacing, delay, value);
    }

    boolean matches(Site site) {
        return (database == null || site.inDatabase(database))
                && (operations.isEmpty() || operations.contains(site.operation()))
                && (partition < 0 || partition == site.partition())
                && (path == null || site.touches().test(path));
    }
}
