package io.aardappel.replicator.ydb.preflight;

import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.core.StreamRow;
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

    /**
     * Nullable whatever the model is: rows that are there have nothing to put into it. Where the model has a default,
     * which its rows may hold without having been written, a comment says that it belongs to the statement.
     */
    static String addColumn(String path, Column like) {
        String statement = "ALTER TABLE " + quoted(path) + " ADD COLUMN " + quoted(like.name()) + " " + like.type();
        return like.hasDefault() ? statement + " -- and the DEFAULT that it has in the source" : statement;
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

    /** A person says by it that the stream's table, as it is now, is what the checkpoint stands for. */
    static String acceptTable(TableName stateTable, String instanceId, StreamRow stream) {
        return "UPDATE " + StreamTable.beside(stateTable).quoted() + " SET " + StreamTable.TABLE_CREATED_STEP
                + " = NULL, "
                + StreamTable.TABLE_CREATED_TX + " = NULL WHERE " + StreamTable.ID + " = " + literal(instanceId)
                + " AND "
                + StreamTable.TOPIC + " = " + literal(stream.topic()) + " AND " + StreamTable.CONSUMER + " = "
                + literal(stream.consumer());
    }

    private static String literal(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private static String quoted(String name) {
        return "`" + name + "`";
    }
}
