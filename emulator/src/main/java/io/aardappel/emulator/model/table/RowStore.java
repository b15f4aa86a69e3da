package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.value.ValueOrder;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of one table by key, each with the versions that somebody may still read. The database's lock guards it. */
final class RowStore {
    /** What one commit left of a row. */
    static final class Version {
        final Commit commit;
        /** In the form of {@link Layout#store}, null for a row that was removed. */
        final @Nullable Object @Nullable [] row;

        @Nullable
        Version older;

        Version(Commit commit, @Nullable Object @Nullable [] row, @Nullable Version older) {
            this.commit = commit;
            this.row = row;
            this.older = older;
        }
    }

    /** The versions of one key, latest first. */
    static final class Chain {
        Version head;

        Chain(Version head) {
            this.head = head;
        }

        /** The latest version not above the given one, null when there was none. */
        @Nullable
        Version at(long version) {
            Version candidate = head;
            while (candidate != null && candidate.commit.version() > version) {
                candidate = candidate.older;
            }
            return candidate;
        }
    }

    private final TreeMap<List<@Nullable Object>, Chain> rows;

    RowStore(TableSchema schema) {
        rows = new TreeMap<>(ValueOrder.ofKeys(schema.primaryKey().stream()
                .map(name -> schema.columns().get(schema.indexOf(name)).type())
                .toList()));
    }

    int compare(List<@Nullable Object> a, List<@Nullable Object> b) {
        return rows.comparator().compare(a, b);
    }

    java.util.Comparator<? super List<@Nullable Object>> order() {
        return rows.comparator();
    }

    @Nullable
    Chain chain(List<@Nullable Object> key) {
        return rows.get(key);
    }

    /** The keys from {@code low} (with it) to {@code high} (without it), null for open; chains may be of removed rows. */
    NavigableMap<List<@Nullable Object>, Chain> range(
            @Nullable List<@Nullable Object> low, @Nullable List<@Nullable Object> high) {
        NavigableMap<List<@Nullable Object>, Chain> part = rows;
        if (low != null && high != null) {
            return compare(low, high) >= 0 ? new TreeMap<>(rows.comparator()) : part.subMap(low, true, high, false);
        }
        if (low != null) {
            part = part.tailMap(low, true);
        }
        return high == null ? part : part.headMap(high, false);
    }

    /**
     * Adds the latest version of a key; a null row removes it.
     *
     * @param chain what {@link #chain} says of the key
     * @return whether versions were kept that nobody may need later: the removal itself, or older ones below it
     */
    boolean put(
            List<@Nullable Object> key,
            @Nullable Chain chain,
            @Nullable Object @Nullable [] row,
            Commit commit,
            boolean keepOlder) {
        if (row == null && !keepOlder) {
            if (chain != null) {
                rows.remove(key);
            }
            return false;
        }
        if (chain == null) {
            rows.put(key, new Chain(new Version(commit, row, null)));
            return row == null;
        }
        chain.head = new Version(commit, row, keepOlder ? chain.head : null);
        return keepOlder;
    }

    /** Drops the versions of a key that nobody at or above {@code oldest} can see. */
    void trim(List<@Nullable Object> key, long oldest) {
        Chain chain = rows.get(key);
        if (chain == null) {
            return;
        }
        Version visible = chain.at(oldest);
        if (visible == null) {
            return;
        }
        visible.older = null;
        if (visible == chain.head && visible.row == null) {
            rows.remove(key);
        }
    }

    int size() {
        return rows.size();
    }
}
