package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows with named columns that a statement reads. */
record Relation(List<Column> columns, Rows rows) {
    /** @param source name of the table or its alias, null for a computed column */
    record Column(@Nullable String source, String name, Type type) {}

    /** Takes rows until it answers false. The array belongs to the receiver only during the call. */
    @FunctionalInterface
    interface Sink {
        boolean row(@Nullable Object[] row);
    }

    @FunctionalInterface
    interface Rows {
        /** Hands over all rows; false when the sink wanted no more. */
        boolean feed(Run run, Sink sink);
    }

    List<@Nullable Object[]> collect(Run run) {
        List<@Nullable Object[]> all = new ArrayList<>();
        rows.feed(run, row -> all.add(row.clone()));
        return all;
    }
}
