package io.aardappel.replicator.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the key, or any other name, that a person probably meant. Stateless. */
public final class NearestKey {
    /** The known name with the fewest edits, if they are few for its length. */
    public static Optional<String> of(String written, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String key) -> distance(written, key))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(key -> distance(written, key)
                        <= Math.min(Math.max(2, key.length() / 3), fold(key).length() - 1));
    }

    /** Insertions, deletions, replacements and swaps of neighbours, letter case aside. */
    static int distance(String left, String right) {
        String a = fold(left);
        String b = fold(right);
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int edits = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    edits = Math.min(edits, beforeLast[j - 2] + 1);
                }
                row[j] = edits;
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }

    /** {@code dstTable}, {@code dst-table} and {@code dst_table} are one word to a person. */
    private static String fold(String key) {
        return key.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    private NearestKey() {}
}
