package io.aardappel.replicator.codec;

import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;

/** A row's key as a person writes it: a JSON array with each element as the feed writes it. Stateless. */
public final class KeyText {
    private KeyText() {}

    /**
     * Why no row of the table can have the key.
     *
     * @param key a JSON array
     * @return words that name the columns but not the key's values; empty when it can be a key
     */
    public static Optional<String> misfit(TableShape shape, String key) {
        String message = "{\"erase\":{},\"key\":" + key + ",\"ts\":[1,0]}";
        return new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS).decode(message.getBytes(StandardCharsets.UTF_8))
                        instanceof Unfit unfit
                ? Optional.of(unfit.reason())
                : Optional.empty();
    }

    /** The key's columns with their types, in the order of the key. */
    public static String columns(TableShape shape) {
        return shape.keyOrdinals().stream()
                .map(shape::column)
                .map(column -> column.name() + " " + column.type() + (column.notNull() ? " NOT NULL" : ""))
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
