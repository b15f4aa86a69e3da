package io.aardappel.emulator.query.syntax;

import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.value.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One statement of a text. Paths are absolute already. */
public sealed interface Statement {
    Position at();

    record Declare(Position at, String name, Type type) implements Statement {}

    record Assign(Position at, String name, Expression value) implements Statement {}

    record Select(Position at, Query query) implements Statement {}

    /**
     * Rows that come from a list of values or a query, among them {@code UPDATE t ON} and {@code DELETE FROM t ON}.
     *
     * @param columns names in the order of the input, empty when the input's own names count
     */
    record Write(
            Position at,
            RowWrite.Kind kind,
            String path,
            List<Column> columns,
            Input input,
            @Nullable Returning returning)
            implements Statement {}

    record Column(Position at, String name) {}

    /** Where the rows of a {@link Write} come from. */
    sealed interface Input {}

    record Rows(List<List<Expression>> rows) implements Input {}

    record FromQuery(Query query) implements Input {}

    /**
     * What a writing statement gives back.
     *
     * @param columns names, empty for {@code *}
     */
    record Returning(List<Column> columns) {}

    record Update(
            Position at,
            String path,
            List<Set> sets,
            @Nullable Expression where,
            @Nullable Returning returning) implements Statement {}

    record Set(Column column, Expression value) {}

    record Delete(
            Position at,
            String path,
            @Nullable Expression where,
            @Nullable Returning returning) implements Statement {}

    /** A statement that changes the schema and runs outside transactions. */
    sealed interface SchemeStatement extends Statement {}

    record CreateTable(Position at, TableSpec table, boolean ifNotExists) implements SchemeStatement {}

    record AlterTable(Position at, String path, List<TableSpec.Change> changes) implements SchemeStatement {}

    record DropTable(Position at, String path, boolean ifExists) implements SchemeStatement {}

    record CreateTopic(Position at, TopicSpec topic, boolean ifNotExists) implements SchemeStatement {}

    record AlterTopic(Position at, String path, List<TopicSpec.Change> changes) implements SchemeStatement {}

    record DropTopic(Position at, String path, boolean ifExists) implements SchemeStatement {}
}
