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
        head(text, Metric.MODIFICATIONS);
        text.append(Metric.MODIFICATIONS.exposed())
                .append(' ')
                .append(changes.sum())
                .append('\n');
        if (!changesByTag.isEmpty()) {
            head(text, Metric.MODIFICATIONS_PER_TABLE);
            new TreeMap<>(changesByTag)
                    .forEach((tag, count) -> text.append(Metric.MODIFICATIONS_PER_TABLE.exposed())
                            .append("{stream_tag=\"")
                            .append(escaped(tag))
                            .append("\"} ")
                            .append(count.sum())
                            .append('\n'));
        }
        head(text, Metric.REQUEST_SIZE);
        text.append(Metric.REQUEST_SIZE.exposed())
                .append(' ')
                .append(bytes.sum())
                .append('\n');
        return text.toString();
    }

    private static void head(StringBuilder text, Metric metric) {
        text.append("# HELP ")
                .append(metric.exposed())
                .append(' ')
                .append(metric.help())
                .append('\n');
        text.append("# TYPE ").append(metric.exposed()).append(" counter\n");
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
