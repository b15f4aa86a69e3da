package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of a table, read by as little of its key as the conditions need: what is read is also locked. */
final class TableAccess {
    private TableAccess() {}

    /**
     * The rows that may meet the conditions, at least all that do.
     *
     * @param conditions that all must hold for a row to count; they are tested again by the caller
     */
    static Relation bind(QueryBinder queries, Query.Table source, List<Expression> conditions, boolean reverse) {
        TableSchema schema = queries.transaction().schema(source.path());
        if (source.index() != null) {
            requireIndex(queries, source, source.index());
        }
        String alias = source.alias() != null ? source.alias() : source.name();
        return bind(queries, schema, alias, conditions, reverse);
    }

    /** An index finds no other rows than the table, only faster; so the table is read. */
    private static void requireIndex(QueryBinder queries, Query.Table source, String index) {
        boolean known = queries.transaction().declarations(source.path()).indexes().stream()
                .anyMatch(declared -> declared.name().equals(index));
        if (!known) {
            throw source.at()
                    .error(
                            Status.SCHEME_ERROR,
                            Issue.SCHEME,
                            "Required global index not found, index name: " + index + ", table: " + source.path());
        }
    }

    static Relation bind(
            QueryBinder queries,
            TableSchema schema,
            @Nullable String alias,
            List<Expression> conditions,
            boolean reverse) {
        List<Relation.Column> columns = new ArrayList<>();
        for (Column column : schema.columns()) {
            columns.add(new Relation.Column(alias, column.name(), column.resultType()));
        }
        KeyConditions keys = KeyConditions.of(queries, schema, Scope.of(columns), conditions);
        return new Relation(columns, (run, sink) -> keys.select(new Frame(run)).feed(run, schema, reverse, sink));
    }
}
