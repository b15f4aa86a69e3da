package io.aardappel.emulator.faults;

import java.util.function.Predicate;

/**
 * Where a fault may strike.
 *
 * @param database absolute path of the database, or of an object in it
 * @param operation what is being done there
 * @param touches whether what is being done concerns the object at an absolute path
 * @param partition topic partition, -1 when there is none
 */
public record Site(String database, Operation operation, Predicate<String> touches, int partition) {
    /** A place that concerns one object and all below it. */
    public static Site at(String database, Operation operation, String path) {
        return new Site(database, operation, wanted -> path.equals(wanted) || path.startsWith(wanted + "/"), -1);
    }

    /** A place that concerns no object in particular: rules with a path do not match it. */
    public static Site of(String database, Operation operation) {
        return new Site(database, operation, wanted -> false, -1);
    }

    public Site inPartition(int number) {
        return new Site(database, operation, touches, number);
    }

    boolean inDatabase(String path) {
        return database.equals(path) || database.startsWith(path + "/");
    }
}
