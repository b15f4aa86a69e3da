package io.aardappel.emulator.model.table;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Walks two maps of one key order together; at each key either side, or both, has a value. */
final class KeyMerge<L, R> {
    private final Comparator<? super List<@Nullable Object>> order;
    private final Iterator<Map.Entry<List<@Nullable Object>, L>> lefts;
    private final Iterator<Map.Entry<List<@Nullable Object>, R>> rights;
    private Map.@Nullable Entry<List<@Nullable Object>, L> nextLeft;
    private Map.@Nullable Entry<List<@Nullable Object>, R> nextRight;
    private List<@Nullable Object> key = List.of();
    private @Nullable L left;
    private @Nullable R right;

    KeyMerge(NavigableMap<List<@Nullable Object>, L> left, NavigableMap<List<@Nullable Object>, R> right) {
        this.order = left.comparator();
        this.lefts = left.entrySet().iterator();
        this.rights = right.entrySet().iterator();
        this.nextLeft = next(lefts);
        this.nextRight = next(rights);
    }

    /** Goes to the next key; false when there is none. */
    boolean advance() {
        Map.Entry<List<@Nullable Object>, L> a = nextLeft;
        Map.Entry<List<@Nullable Object>, R> b = nextRight;
        left = null;
        right = null;
        if (a == null && b == null) {
            return false;
        }
        int which = a == null ? 1 : b == null ? -1 : order.compare(a.getKey(), b.getKey());
        if (a != null && which <= 0) {
            key = a.getKey();
            left = a.getValue();
            nextLeft = next(lefts);
        }
        if (b != null && which >= 0) {
            key = b.getKey();
            right = b.getValue();
            nextRight = next(rights);
        }
        return true;
    }

    List<@Nullable Object> key() {
        return key;
    }

    @Nullable
    L left() {
        return left;
    }

    @Nullable
    R right() {
        return right;
    }

    private static <T> @Nullable T next(Iterator<T> iterator) {
        return iterator.hasNext() ? iterator.next() : null;
    }
}
