package io.aardappel.operator.settings;

import java.util.Set;
import java.util.TreeSet;

/**
 * Which namespaces are served. Immutable.
 *
 * @param all whether every one is
 * @param names those that are; none when all are
 */
public record Scope(boolean all, Set<String> names) {
    public Scope {
        names = Set.copyOf(names);
    }

    /** Every namespace there is. */
    public static Scope everything() {
        return new Scope(true, Set.of());
    }

    /** These and no other. */
    public static Scope of(Set<String> names) {
        return new Scope(false, names);
    }

    @Override
    public String toString() {
        return all ? "all namespaces" : String.join(", ", new TreeSet<>(names));
    }
}
