package io.aardappel.e2e.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import tech.ydb.core.Status;
import tech.ydb.proto.ValueProtos;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Type;

/**
 * Transactions over several tables and shards: partial and whole upserts, replaces, updates, deletes, keys inserted
 * again with fewer columns. Each transaction is one call; a seed gives the same transactions again.
 */
final class Workload {
    private static final ValueProtos.Value NULL = ValueProtos.Value.newBuilder()
            .setNullFlagValue(com.google.protobuf.NullValue.NULL_VALUE)
            .build();

    private final List<SourceTable> tables;
    private final TableColumns columns;
    private final Random random;
    private final SessionRetryContext session;
    private int committed;

    Workload(TableClient client, List<SourceTable> tables, TableColumns columns, long seed) {
        this.tables = tables;
        this.columns = columns;
        this.random = new Random(seed);
        this.session = SessionRetryContext.create(client)
                .maxRetries(20)
                .idempotent(true)
                .sessionCreationTimeout(Duration.ofSeconds(10))
                .build();
    }

    int committed() {
        return committed;
    }

    /** Rows that are there before the feed of a scanned table. */
    void fill(SourceTable table) {
        List<List<ValueProtos.Value>> keys = new ArrayList<>(table.keys());
        Collections.shuffle(keys, random);
        int rows = keys.size() * 3 / 4;
        for (int from = 0; from < rows; from += 100) {
            Statement all = new Statement();
            upsert(all, "UPSERT", table, keys.subList(from, Math.min(rows, from + 100)), columns.values(table));
            commit(all);
        }
    }

    /** One random transaction, committed; nothing when all tables are at rest. */
    void next() {
        Statement statement = new Statement();
        int parts = 1 + random.nextInt(4);
        List<SourceTable> order = new ArrayList<>(tables);
        Collections.shuffle(order, random);
        order.removeIf(columns::isAtRest);
        for (SourceTable table : order.subList(0, Math.min(parts, order.size()))) {
            change(statement, table, someKeys(table));
        }
        if (!order.isEmpty()) {
            commit(statement);
        }
    }

    private List<List<ValueProtos.Value>> someKeys(SourceTable table) {
        int count = 1 + random.nextInt(5);
        List<List<ValueProtos.Value>> keys = new ArrayList<>();
        while (keys.size() < count) {
            List<ValueProtos.Value> key =
                    table.keys().get(random.nextInt(table.keys().size()));
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private void change(Statement statement, SourceTable table, List<List<ValueProtos.Value>> keys) {
        switch (random.nextInt(8)) {
            case 0, 1 -> upsert(statement, "UPSERT", table, keys, columns.values(table));
            case 2, 3 -> upsert(statement, "UPSERT", table, keys, someColumns(table, true));
            case 4 -> upsert(statement, "REPLACE", table, keys, someColumns(table, true));
            case 5 -> updateOn(statement, table, keys);
            case 6 -> delete(statement, table, keys);
            default -> {
                // erased and written again with fewer columns by two statements of one transaction
                delete(statement, table, keys);
                upsert(statement, "UPSERT", table, keys.subList(0, 1), someColumns(table, true));
            }
        }
    }

    /** A random part of the non-key columns; with {@code whole}, those that a new row cannot do without are in it. */
    private List<SourceTable.Column> someColumns(SourceTable table, boolean whole) {
        return columns.values(table).stream()
                .filter(c -> (whole && c.isRequired()) || random.nextBoolean())
                .toList();
    }

    private void upsert(
            Statement statement,
            String verb,
            SourceTable table,
            List<List<ValueProtos.Value>> keys,
            List<SourceTable.Column> written) {
        List<SourceTable.Column> all = join(table.key(), written);
        String rows = statement.parameter(all, rows(keys, written));
        statement.add(verb + " INTO `" + table.name() + "` (" + names(all) + ") SELECT " + names(all)
                + " FROM AS_TABLE(" + rows + ");");
    }

    private void updateOn(Statement statement, SourceTable table, List<List<ValueProtos.Value>> keys) {
        List<SourceTable.Column> some = someColumns(table, false);
        if (some.isEmpty()) {
            some = columns.values(table).subList(0, 1);
        }
        List<SourceTable.Column> all = join(table.key(), some);
        String rows = statement.parameter(all, rows(keys, some));
        statement.add("UPDATE `" + table.name() + "` ON SELECT " + names(all) + " FROM AS_TABLE(" + rows + ");");
    }

    private static void delete(Statement statement, SourceTable table, List<List<ValueProtos.Value>> keys) {
        List<ValueProtos.Value> rows = keys.stream()
                .map(key -> ValueProtos.Value.newBuilder().addAllItems(key).build())
                .toList();
        String parameter = statement.parameter(table.key(), rows);
        statement.add("DELETE FROM `" + table.name() + "` ON SELECT " + names(table.key()) + " FROM AS_TABLE("
                + parameter + ");");
    }

    private List<ValueProtos.Value> rows(List<List<ValueProtos.Value>> keys, List<SourceTable.Column> written) {
        List<ValueProtos.Value> rows = new ArrayList<>();
        for (List<ValueProtos.Value> key : keys) {
            ValueProtos.Value.Builder row = ValueProtos.Value.newBuilder().addAllItems(key);
            for (SourceTable.Column column : written) {
                boolean isNull = !column.notNull() && random.nextInt(5) == 0;
                row.addItems(isNull ? NULL : column.type().random(random));
            }
            rows.add(row.build());
        }
        return rows;
    }

    private void commit(Statement statement) {
        Status status = session.supplyStatus(
                        s -> s.executeDataQuery(statement.text(), TxControl.serializableRw(), statement.params())
                                .thenApply(result -> result.getStatus()))
                .join();
        status.expectSuccess("workload transaction " + committed);
        committed++;
    }

    private static List<SourceTable.Column> join(List<SourceTable.Column> a, List<SourceTable.Column> b) {
        List<SourceTable.Column> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    private static String names(List<SourceTable.Column> columns) {
        return columns.stream().map(c -> "`" + c.name() + "`").collect(Collectors.joining(", "));
    }

    /** The text of one transaction and its parameters. */
    private static final class Statement {
        private final StringBuilder text = new StringBuilder();
        private final Map<String, ProtoValue> parameters = new LinkedHashMap<>();

        void add(String statement) {
            text.append(statement).append('\n');
        }

        String parameter(List<SourceTable.Column> columns, List<ValueProtos.Value> rows) {
            Map<String, Type> members = new LinkedHashMap<>();
            // the SDK sorts a struct's members by name; the rows must follow that order
            List<String> sorted =
                    columns.stream().map(SourceTable.Column::name).sorted().toList();
            columns.forEach(c -> members.put(c.name(), c.valueType()));
            List<Integer> order = sorted.stream()
                    .map(name -> columns.stream()
                            .map(SourceTable.Column::name)
                            .toList()
                            .indexOf(name))
                    .toList();
            ValueProtos.Value.Builder list = ValueProtos.Value.newBuilder();
            for (ValueProtos.Value row : rows) {
                ValueProtos.Value.Builder ordered = ValueProtos.Value.newBuilder();
                order.forEach(i -> ordered.addItems(row.getItems(i)));
                list.addItems(ordered);
            }
            String name = "$p" + parameters.size();
            parameters.put(name, new ProtoValue(ListType.of(StructType.of(members)), list.build()));
            return name;
        }

        String text() {
            return text.toString();
        }

        Params params() {
            Params params = Params.create(parameters.size());
            parameters.forEach(params::put);
            return params;
        }
    }
}
