package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.value.Type;
import org.jspecify.annotations.Nullable;

/**
 * A column of a row table.
 *
 * @param type the bare type, never optional: a column that is not {@code notNull} holds {@code Optional<type>}
 * @param defaultValue what an INSERT, UPSERT of a new row or REPLACE writes when the statement leaves the column out;
 *     null when there is none
 * @param numbers of a Serial type, whose default is the next number of a sequence of the table; null for other types
 */
public record Column(
        String name,
        Type type,
        boolean notNull,
        @Nullable Object defaultValue,
        @Nullable Sequence numbers) {
    /** @param sequence true for the Serial types, which count 1, 2, 3, … */
    public Column(String name, Type type, boolean notNull, @Nullable Object defaultValue, boolean sequence) {
        this(name, type, notNull, defaultValue, sequence ? Sequence.serial(name) : null);
    }

    public static Column nullable(String name, Type type) {
        return new Column(name, type, false, null, false);
    }

    public static Column notNull(String name, Type type) {
        return new Column(name, type, true, null, false);
    }

    /** The type of a value read from this column. */
    public Type resultType() {
        return notNull ? type : type.nullable();
    }

    /** True for the Serial types. */
    public boolean sequence() {
        return numbers != null;
    }

    public boolean hasDefault() {
        return numbers != null || defaultValue != null;
    }
}
