package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a table declares and shows, without effect on its rows: an index is no faster than the table, and nothing expires.
 *
 * @param indexes by name
 */
public record Declarations(List<Index> indexes, @Nullable TimeToLive ttl) {
    public static final Declarations NONE = new Declarations(List.of(), null);

    /** A secondary index over columns, with copies of other columns in it. */
    public record Index(String name, Kind kind, List<String> columns, List<String> dataColumns) {
        public enum Kind {
            GLOBAL,
            GLOBAL_ASYNC,
            GLOBAL_UNIQUE
        }

        public Index {
            columns = List.copyOf(columns);
            dataColumns = List.copyOf(dataColumns);
        }

        Index named(String other) {
            return new Index(other, kind, columns, dataColumns);
        }
    }

    /**
     * When rows expire.
     *
     * @param unit of a column that counts from the epoch, null for a column of a date type
     * @param runIntervalSeconds 0 when it was not given
     */
    public record TimeToLive(String column, @Nullable Unit unit, int expireAfterSeconds, int runIntervalSeconds) {
        public enum Unit {
            SECONDS,
            MILLISECONDS,
            MICROSECONDS,
            NANOSECONDS
        }
    }

    public Declarations {
        indexes = List.copyOf(indexes);
    }

    Declarations withTtl(@Nullable TimeToLive changed) {
        return new Declarations(indexes, changed);
    }

    Declarations with(Index added) {
        if (find(added.name()) != null) {
            throw refused("Index '" + added.name() + "' already exists");
        }
        List<Index> changed = new ArrayList<>(indexes);
        changed.add(added);
        return new Declarations(changed, ttl);
    }

    Declarations without(String index) {
        Index removed = require(index);
        return new Declarations(
                indexes.stream().filter(each -> !each.equals(removed)).toList(), ttl);
    }

    Declarations renamed(String from, String to, boolean replace) {
        Index renamed = require(from).named(to);
        Declarations others = without(from);
        if (replace && others.find(to) != null) {
            others = others.without(to);
        }
        return others.with(renamed);
    }

    /** Refuses what names columns that are not there. */
    void check(TableSchema table) {
        for (Index index : indexes) {
            index.columns().forEach(column -> requireColumn(table, column));
            index.dataColumns().forEach(column -> requireColumn(table, column));
        }
        if (ttl != null) {
            requireColumn(table, ttl.column());
        }
    }

    private static void requireColumn(TableSchema table, String column) {
        if (table.indexOf(column) < 0) {
            throw refused("Unknown column '" + column + "' in an index or TTL of table " + table.path());
        }
    }

    private @Nullable Index find(String name) {
        return indexes.stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private Index require(String name) {
        Index index = find(name);
        if (index == null) {
            throw refused("Index '" + name + "' does not exist");
        }
        return index;
    }

    private static YdbException refused(String message) {
        return new YdbException(Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, message));
    }
}
