package io.aardappel.e2e.demo;

import io.aardappel.e2e.world.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Two tables held against each other, value by value.
 *
 * @param rows of the source
 * @param differences rows that only one side has, or that differ in a value
 */
record Comparison(String table, long rows, long differences) {
    static Comparison of(String table, List<Row> source, List<Row> copy) {
        Map<TreeMap<String, String>, Integer> balance = new HashMap<>();
        source.forEach(row -> balance.merge(row.values(), 1, Integer::sum));
        copy.forEach(row -> balance.merge(row.values(), -1, Integer::sum));
        long onlySource = balance.values().stream()
                .filter(count -> count > 0)
                .mapToLong(Integer::longValue)
                .sum();
        long onlyCopy = balance.values().stream()
                .filter(count -> count < 0)
                .mapToLong(count -> -count)
                .sum();
        return new Comparison(table, source.size(), Math.max(onlySource, onlyCopy));
    }
}
