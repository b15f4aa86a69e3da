package io.aardappel.replicator.ydb.preflight;

import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import java.util.stream.Collectors;

/** What makes the things that are missing: YQL, whole enough to be pasted at a console. Stateless. */
final class Statements {
    private static final String FEED = " WITH (FORMAT = 'JSON', MODE = 'UPDATES', VIRTUAL_TIMESTAMPS = TRUE,"
            + " RESOLVED_TIMESTAMPS = Interval('PT1S'), INITIAL_SCAN = TRUE, RETENTION_PERIOD = Interval('P3D'))";

    private Statements() {}

    /** A table with the columns and the key of another. */
    static String createTable(String path, TableShape like) {
        String columns = like.columns().stream().map(Statements::column).collect(Collectors.joining(", "));
        String key = like.keyOrdinals().stream()
                .map(ordinal -> quoted(like.column(ordinal).name()))
                .collect(Collectors.joining(", "));
        return "CREATE TABLE " + quoted(path) + " (" + columns + ", PRIMARY KEY (" + key + "))";
    }

    private static String column(Column column) {
        return quoted(column.name()) + " " + column.type() + (column.notNull() ? " NOT NULL" : "");
    }

    /** Nullable whatever the model is: rows that are there have nothing to put into it. */
    static String addColumn(String path, Column like) {
        return "ALTER TABLE " + quoted(path) + " ADD COLUMN " + quoted(like.name()) + " " + like.type();
    }

    /**
     * A feed that can be replicated, with its consumer: two statements.
     *
     * @param table absolute path of the source table
     */
    static String addFeed(String table, String feed, String consumer) {
        return "ALTER TABLE " + quoted(table) + " ADD CHANGEFEED " + quoted(feed) + FEED + "; "
                + addConsumer(table + "/" + feed, consumer);
    }

    static String addConsumer(String topic, String consumer) {
        return "ALTER TOPIC " + quoted(topic) + " ADD CONSUMER " + quoted(consumer);
    }

    /** It forgets what it has read: two statements. */
    static String renewConsumer(String topic, String consumer) {
        return "ALTER TOPIC " + quoted(topic) + " DROP CONSUMER " + quoted(consumer) + "; "
                + addConsumer(topic, consumer);
    }

    private static String quoted(String name) {
        return "`" + name + "`";
    }
}
