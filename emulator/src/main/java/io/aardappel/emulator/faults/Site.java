package io.aardappel.emulator.faults;

import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Where a fault may strike.
 *
 * @param database absolute path of the database, or of an object in it
 * @param operation what is being done there
 * @param touches whether what is being done concerns the object at an absolute path, or one below it
 * @param partition topic partition, -1 when there is none
 */
public record Site(String database, Operation operation, Predicate<String> touches, int partition) {
    /** A place that concerns one object, and with it all above it. */
    public static Site at(String database, Operation operation, String path) {
        return new Site(database, operation, wanted -> lies(path, wanted), -1);
    }

    /** A place that concerns several; they are asked for where somebody wants to know about a path. */
    public static Site about(String database, Operation operation, Supplier<Set<String>> paths) {
        return new Site(database, operation, wanted -> paths.get().stream().anyMatch(path -> lies(path, wanted)), -1);
    }

    /** A place that concerns no object in particular: rules with a path do not match it. */
    public static Site of(String database, Operation operation) {
        return new Site(database, operation, wanted -> false, -1);
    }

    public Site inPartition(int number) {
        return new Site(database, operation, touches, number);
    }

    boolean inDatabase(String path) {
        return lies(database, path);
    }

    /** Whether an absolute path is that of another object or of one below it. */
    public static boolean lies(String path, String above) {
        return path.equals(above) || path.startsWith(above + "/");
    }
}
