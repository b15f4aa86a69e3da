package io.aardappel.emulator.model.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys between two bounds. A bound may name a prefix of the key columns: an inclusive bound then takes in all keys with
 * that prefix, an exclusive one none. A null bound is open. Values inside a bound may be null (a null key part sorts first).
 */
public record KeyRange(
        @Nullable List<@Nullable Object> from,
        boolean fromInclusive,
        @Nullable List<@Nullable Object> to,
        boolean toInclusive) {
    public static final KeyRange ALL = new KeyRange(null, true, null, true);

    /** All keys that begin with these values; with all key columns given, that one key. */
    public static KeyRange prefix(List<@Nullable Object> values) {
        return new KeyRange(values, true, values, true);
    }
}
