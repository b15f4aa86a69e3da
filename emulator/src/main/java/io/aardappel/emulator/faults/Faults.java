package io.aardappel.emulator.faults;

import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules in force and how often each struck. The first rule of a fault that matches and is due strikes. With one seed
 * and one order of occasions the same ones are struck. Thread-safe.
 */
public final class Faults implements Hazards {
    /**
     * A rule in force: how many occasions matched it, and how many it struck. To a fault that strikes at what stays
     * open, such as a stream, each of those is one occasion, however often it is looked at.
     */
    public record Active(long id, FaultRule rule, long matched, long fired) {}

    private static final class Entry {
        final long id;
        final FaultRule rule;
        /** Numbers of what stays open, in the order in which it was met. What is gone is forgotten. */
        final Map<Object, Long> met = new WeakHashMap<>();

        long matched;
        long fired;
        long notBeforeNanos;

        Entry(long id, FaultRule rule, long notBeforeNanos) {
            this.id = id;
            this.rule = rule;
            this.notBeforeNanos = notBeforeNanos;
        }
    }

    private final LongSupplier nanoClock;
    private final Map<Fault, List<Entry>> entries = new EnumMap<>(Fault.class);
    private final Map<Fault, AtomicLong> fired = new EnumMap<>(Fault.class);
    private SplittableRandom random;
    private long nextId = 1;
    /** Read without the lock: with no rules an occasion costs one read. */
    private volatile boolean quiet = true;

    /** @param nanoClock a monotonic clock in nanoseconds, for spacings */
    public Faults(long seed, LongSupplier nanoClock) {
        this.random = new SplittableRandom(seed);
        this.nanoClock = nanoClock;
        for (Fault fault : Fault.values()) {
            fired.put(fault, new AtomicLong());
        }
    }

    /** Puts a rule in force and returns its number. */
    public synchronized long add(FaultRule rule) {
        long id = nextId++;
        long notBefore = nanoClock.getAsLong() + rule.spacing().toNanos();
        entries.computeIfAbsent(rule.fault(), fault -> new ArrayList<>()).add(new Entry(id, rule, notBefore));
        quiet = false;
        return id;
    }

    /** Takes a rule out of force; false when no rule has that number. */
    public synchronized boolean remove(long id) {
        boolean removed = false;
        for (List<Entry> rules : entries.values()) {
            removed |= rules.removeIf(entry -> entry.id == id);
        }
        quiet = entries.values().stream().allMatch(List::isEmpty);
        return removed;
    }

    /** Takes all rules out of force; the counters of faults stay. */
    public synchronized void clear() {
        entries.clear();
        quiet = true;
    }

    /** True when no rule is in force. */
    public boolean quiet() {
        return quiet;
    }

    /** Begins the random sequence anew, so that a schedule of rules with probabilities can be repeated. */
    public synchronized void reseed(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The rules in force, in the order of their numbers. */
    public synchronized List<Active> active() {
        return entries.values().stream()
                .flatMap(List::stream)
                .map(entry -> new Active(entry.id, entry.rule, entry.matched, entry.fired))
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .toList();
    }

    /** How often the fault struck since the start, over all rules, removed ones too. */
    public long fired(Fault fault) {
        return counter(fault).get();
    }

    /** {@link #fired(Fault)} of every fault that struck at least once. */
    public Map<Fault, Long> fired() {
        Map<Fault, Long> counts = new EnumMap<>(Fault.class);
        fired.forEach((fault, count) -> {
            if (count.get() > 0) {
                counts.put(fault, count.get());
            }
        });
        return counts;
    }

    /** Whether the fault strikes at this occasion; a strike is counted and must be carried out. */
    public @Nullable Strike strike(Fault fault, Site site) {
        return quiet ? null : decide(fault, site, null);
    }

    /**
     * The same for something that stays open and is looked at again and again: it counts as one occasion.
     *
     * @param subject is one with whatever equals it; not held
     */
    public @Nullable Strike strikeOpen(Fault fault, Site site, Object subject) {
        return quiet ? null : decide(fault, site, subject);
    }

    @Override
    public @Nullable Strike strike(Fault fault, String path, int partition) {
        if (quiet) {
            return null;
        }
        return decide(fault, Site.at(path, Operation.BACKGROUND, path).inPartition(partition), null);
    }

    private synchronized @Nullable Strike decide(Fault fault, Site site, @Nullable Object subject) {
        for (Entry entry : entries.getOrDefault(fault, List.of())) {
            if (entry.rule.matches(site) && strikes(entry, occasion(entry, subject))) {
                counter(fault).incrementAndGet();
                return new Strike(entry.rule.delay(), entry.rule.amount());
            }
        }
        return null;
    }

    /** Which occasion of the rule this is, counted from 1. */
    private static long occasion(Entry entry, @Nullable Object subject) {
        Long known = subject == null ? null : entry.met.get(subject);
        if (known != null) {
            return known;
        }
        entry.matched++;
        if (subject != null) {
            entry.met.put(subject, entry.matched);
        }
        return entry.matched;
    }

    private boolean strikes(Entry entry, long occasion) {
        FaultRule rule = entry.rule;
        boolean exhausted = rule.count() > 0 && entry.fired >= rule.count();
        if (exhausted || occasion <= rule.skip()) {
            return false;
        }
        long now = nanoClock.getAsLong();
        if (now - entry.notBeforeNanos < 0) {
            return false;
        }
        if (rule.probability() < 1 && random.nextDouble() >= rule.probability()) {
            return false;
        }
        entry.fired++;
        entry.notBeforeNanos = now + rule.spacing().toNanos();
        return true;
    }

    private AtomicLong counter(Fault fault) {
        AtomicLong counter = fired.get(fault);
        if (counter == null) {
            throw new IllegalStateException("no counter of " + fault);
        }
        return counter;
    }
}
