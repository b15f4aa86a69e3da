package io.aardappel.replicator.codec;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types that the columns of one source table have, for what people are told: as the table was described, and as its
 * feed says since. Nothing is decided by them. Thread-safe.
 */
public final class SourceColumns {
    private final Map<String, String> types = new ConcurrentHashMap<>();

    /** Nothing is known of the table yet. */
    public SourceColumns() {}

    public SourceColumns(TableShape described) {
        described
                .columns()
                .forEach(column -> types.put(column.name(), column.type().toString()));
    }

    /** @param told by column, the type as the source spells it */
    void learn(Map<String, String> told) {
        types.putAll(told);
    }

    /** The column's type in words, empty when it is not known. */
    Optional<String> type(String column) {
        return Optional.ofNullable(types.get(column));
    }
}
