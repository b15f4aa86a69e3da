package io.aardappel.replicator.http;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The Go program's counters under their own names. The Prometheus client for Java adds {@code _total} to every counter,
 * which these have not, so they are written here in the text format 0.0.4. Thread-safe.
 */
final class GoCounters {
    private final LongAdder changes = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final Map<String, LongAdder> changesByTag = new ConcurrentHashMap<>();

    void committed(long changeCount, long byteCount) {
        changes.add(changeCount);
        bytes.add(byteCount);
    }

    void applied(String tag, long changeCount) {
        changesByTag.computeIfAbsent(tag, fresh -> new LongAdder()).add(changeCount);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        head(text, "modifications_count", "Changes in committed transactions, before those of one key are folded.");
        text.append("modifications_count ").append(changes.sum()).append('\n');
        if (!changesByTag.isEmpty()) {
            head(text, "modifications_count_per_table", "The same for each stream.");
            new TreeMap<>(changesByTag)
                    .forEach((tag, count) -> text.append("modifications_count_per_table{stream_tag=\"")
                            .append(escaped(tag))
                            .append("\"} ")
                            .append(count.sum())
                            .append('\n'));
        }
        head(text, "request_size_bytes", "Bytes of changes in committed transactions.");
        text.append("request_size_bytes ").append(bytes.sum()).append('\n');
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" counter\n");
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
