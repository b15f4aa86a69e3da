package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.Column;
import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.codec.YdbType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;

/** The state table and ours beside it: made where they are absent, and the row of the instance with them. */
public final class StateTables {
    /**
     * One table with all that must hold for it.
     *
     * @param later those of the columns that a start adds, because a table made by an earlier version lacks them
     */
    private record Wanted(TableName name, List<Column> columns, List<String> key, String create, List<Column> later) {
        Wanted(TableName name, List<Column> columns, List<String> key, String create) {
            this(name, columns, key, create, List.of());
        }

        static List<Wanted> beside(TableName state) {
            return List.of(
                    new Wanted(state, StateTable.COLUMNS, StateTable.KEY, StateTable.createIfAbsent(state)),
                    new Wanted(
                            InstanceTable.beside(state),
                            InstanceTable.COLUMNS,
                            InstanceTable.KEY,
                            InstanceTable.createIfAbsent(state)),
                    new Wanted(
                            StreamTable.beside(state),
                            StreamTable.COLUMNS,
                            StreamTable.KEY,
                            StreamTable.createIfAbsent(state),
                            StreamTable.ADDED_LATER),
                    new Wanted(
                            DecisionTable.beside(state),
                            DecisionTable.COLUMNS,
                            DecisionTable.KEY,
                            DecisionTable.createIfAbsent(state)));
        }
    }

    private final TableSession session;
    private final Descriptions descriptions;
    private final StateStatements statements;
    private final TargetSettings settings;
    private final String database;
    private final List<Wanted> tables;

    StateTables(
            TableSession session,
            Descriptions descriptions,
            StateStatements statements,
            TargetSettings settings,
            String database,
            TableName state) {
        this.session = session;
        this.descriptions = descriptions;
        this.statements = statements;
        this.settings = settings;
        this.database = database;
        this.tables = Wanted.beside(state);
    }

    /**
     * Looks only.
     *
     * @param database absolute path that a relative name belongs to
     * @return every problem of the tables that are there, each naming table and remedy; an absent one is no problem
     */
    public static List<String> check(Descriptions descriptions, String database, TableName state) {
        List<String> problems = new ArrayList<>();
        for (Wanted wanted : Wanted.beside(state)) {
            String path = wanted.name().absolutePath(database);
            Result<DescribeTableResult> described = descriptions.table(path);
            if (described.isSuccess()) {
                differences(wanted, path, described.getValue(), true, problems);
            }
        }
        return problems;
    }

    /**
     * Makes what is absent, the row of the instance and columns too that tables made by earlier versions lack. For a process
     * that never saw the row only: one that is gone is not made again.
     *
     * @return every problem, each naming table and remedy; empty when all is in place
     */
    List<String> ensure() {
        List<String> problems = new ArrayList<>();
        for (Wanted wanted : tables) {
            ensure(wanted, problems);
        }
        if (problems.isEmpty()) {
            Call insert = statements.insertInitialRow();
            Status status = session.execute(
                            insert.text(), insert.parameters(), TableSession.beginAndCommit(), settings.callTimeout())
                    .getStatus();
            boolean thereAlready = status.getCode() == StatusCode.PRECONDITION_FAILED;
            if (!status.isSuccess() && !thereAlready) {
                problems.add("the instance's row could not be inserted into table "
                        + tables.get(0).name().path() + ": " + Failure.told(status));
            }
        }
        return problems;
    }

    /** The same of the tables beside the state table alone, for an instance whose row is there: nothing else is made. */
    List<String> ensureBeside() {
        List<String> problems = new ArrayList<>();
        tables.stream().skip(1).forEach(wanted -> ensure(wanted, problems));
        return problems;
    }

    /** Whether the state table is there, as far as that can be told. */
    Descriptions.Presence presence() {
        return descriptions.presence(tables.get(0).name().absolutePath(database));
    }

    /** A table that the server says is not there, absent when it says that of none. */
    Optional<String> absent() {
        return tables.stream()
                .map(wanted -> wanted.name().absolutePath(database))
                .filter(path -> descriptions.table(path).getStatus().getCode() == StatusCode.SCHEME_ERROR)
                .findFirst();
    }

    private void ensure(Wanted wanted, List<String> problems) {
        String path = wanted.name().absolutePath(database);
        Result<DescribeTableResult> described = descriptions.table(path);
        if (described.getStatus().getCode() == StatusCode.SCHEME_ERROR) {
            Status created = session.executeScheme(wanted.create(), settings.callTimeout());
            if (!created.isSuccess()) {
                problems.add("table " + path + " is absent and could not be created: " + Failure.told(created));
            }
            return;
        }
        if (described.isSuccess() && !lacking(wanted, described.getValue()).isEmpty()) {
            described = withLaterColumns(wanted, path, lacking(wanted, described.getValue()), problems);
        }
        if (described.isSuccess()) {
            differences(wanted, path, described.getValue(), false, problems);
        } else {
            problems.add("table " + path + " could not be described: " + Failure.told(described.getStatus()));
        }
    }

    private static List<Column> lacking(Wanted wanted, DescribeTableResult found) {
        Set<String> names =
                found.getColumnsList().stream().map(ColumnMeta::getName).collect(Collectors.toSet());
        return wanted.later().stream()
                .filter(column -> !names.contains(column.name()))
                .toList();
    }

    /** The table as it is once they were added, by us or by another process at the same moment. */
    private Result<DescribeTableResult> withLaterColumns(
            Wanted wanted, String path, List<Column> lacking, List<String> problems) {
        String columns = lacking.stream()
                .map(column -> "ADD COLUMN " + column.name() + " " + column.type())
                .collect(Collectors.joining(", "));
        Status altered = session.executeScheme("ALTER TABLE `" + path + "` " + columns, settings.callTimeout());
        Result<DescribeTableResult> now = descriptions.table(path);
        boolean there = now.isSuccess() && lacking(wanted, now.getValue()).isEmpty();
        if (!altered.isSuccess() && !there) {
            problems.add("table " + path + " was made by an earlier version and could not be altered: "
                    + Failure.told(altered));
        }
        return now;
    }

    /**
     * More columns than ours are harmless; fewer, others or another key are not.
     *
     * @param laterMayLack whether those that a start adds may still be absent
     */
    private static void differences(
            Wanted wanted, String path, DescribeTableResult found, boolean laterMayLack, List<String> problems) {
        if (!found.getPrimaryKeyList().equals(wanted.key())) {
            problems.add("table " + path + " has primary key " + found.getPrimaryKeyList() + " instead of "
                    + wanted.key() + "; name another state table, or drop this one if nothing uses it");
        }
        Map<String, String> types = found.getColumnsList().stream()
                .collect(Collectors.toMap(
                        ColumnMeta::getName,
                        column -> YdbType.of(column.getType()).toString()));
        for (Column column : wanted.columns()) {
            String type = types.get(column.name());
            boolean isToCome = laterMayLack && type == null && wanted.later().contains(column);
            if (!isToCome && !column.type().equals(type)) {
                problems.add("table " + path + " has column " + column.name()
                        + (type == null ? " missing" : " of type " + type) + " instead of " + column.type()
                        + (type == null
                                ? "; add it: ALTER TABLE `" + path + "` ADD COLUMN " + column.name() + " "
                                        + column.type()
                                : "; name another state table"));
            }
        }
    }
}
