package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.value.ValueOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key range as two points in the order of {@link ValueOrder#ofKeys}: from {@code low} (with it) to {@code high} (without
 * it), null for open.
 */
record KeyBounds(
        @Nullable List<@Nullable Object> low, @Nullable List<@Nullable Object> high) {
    static KeyBounds of(KeyRange range) {
        return new KeyBounds(point(range.from(), !range.fromInclusive()), point(range.to(), range.toInclusive()));
    }

    /** The point behind a key and behind all keys that begin with it. */
    static List<@Nullable Object> behind(List<@Nullable Object> key) {
        List<@Nullable Object> point = new ArrayList<>(key);
        point.add(ValueOrder.TOP);
        return point;
    }

    private static @Nullable List<@Nullable Object> point(@Nullable List<@Nullable Object> bound, boolean behind) {
        return bound == null || !behind ? bound : behind(bound);
    }
}
