package io.aardappel.emulator.model.table;

/**
 * The numbers of a Serial column.
 *
 * @param cache how many numbers a real server takes at a time; shown, without effect
 * @param cycle whether it begins anew after its last number; shown, without effect
 */
public record Sequence(String name, long start, long increment, long min, long max, long cache, boolean cycle) {
    /** What Serial types get: 1, 2, 3, … */
    public static Sequence serial(String column) {
        return new Sequence("_serial_column_" + column, 1, 1, 1, Long.MAX_VALUE, 1, false);
    }
}
