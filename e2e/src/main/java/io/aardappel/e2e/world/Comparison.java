package io.aardappel.e2e.world;

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
public record Comparison(String table, long rows, long differences) {
    /** Of all rows of both. */
    public static Comparison of(String table, List<Row> source, List<Row> copy) {
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

    /** The tables of the {@link Shop}, while nothing writes to them. */
    public static List<Comparison> ofShop(Database source, Database copy) {
        return Shop.TABLES.stream()
                .map(table -> {
                    String select = "SELECT * FROM `" + table.name() + "`;";
                    return of(table.name(), source.read(select), copy.read(select));
                })
                .toList();
    }
}
