package io.aardappel.replicator.config;

import static io.aardappel.contract.ConfigKeys.CONSUMER;
import static io.aardappel.contract.ConfigKeys.DST_TABLE;
import static io.aardappel.contract.ConfigKeys.MON_TAG;
import static io.aardappel.contract.ConfigKeys.PROBLEM_STRATEGY;
import static io.aardappel.contract.ConfigKeys.SRC_TOPIC;

import io.aardappel.contract.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The list of streams. Not thread-safe. */
final class StreamSections {
    private final Optional<Endpoint> source;
    private final Optional<Endpoint> destination;
    private final Map<List<String>, String> seen = new HashMap<>();

    /** Where a side is empty its paths cannot be judged and are not. */
    StreamSections(Optional<Endpoint> source, Optional<Endpoint> destination) {
        this.source = source;
        this.destination = destination;
    }

    List<StreamConfig> read(Section root, String key) {
        boolean given = root.has(key);
        List<Section> sections = root.sections(key);
        if (sections.isEmpty() && (!given || root.isEmptyList(key))) {
            root.lacks(key, "list at least one stream");
        }
        List<StreamConfig> streams = new ArrayList<>();
        for (Section section : sections) {
            streams.add(stream(section));
        }
        return streams;
    }

    private StreamConfig stream(Section section) {
        String topic = section.requiredText(SRC_TOPIC, "name the feed's topic, such as orders/feed");
        String consumer =
                section.requiredText(CONSUMER, "name a consumer of the topic, used by this replication alone");
        String table = section.requiredText(DST_TABLE, "name the destination table by its full path");
        boolean continues = continues(section);
        String tag = section.text(MON_TAG);
        section.close();
        String topicPath = topicPath(section, topic);
        String tablePath = tablePath(section, table);
        refuseRepetition(section, topicPath, consumer);
        return new StreamConfig(topic, topicPath, consumer, table, tablePath, continues, tag.isEmpty() ? topic : tag);
    }

    private String topicPath(Section section, String topic) {
        if (topic.isEmpty() || source.isEmpty()) {
            return topic;
        }
        String path = source.get().resolve(topic);
        if (path.contains("//") || path.endsWith("/")) {
            section.wrong(SRC_TOPIC, topic, "has an empty part between slashes", "write TABLE/FEED");
        } else {
            Inside.source(source.get()).check(section, SRC_TOPIC, topic, path, "a topic");
        }
        return path;
    }

    private String tablePath(Section section, String table) {
        if (table.isEmpty() || destination.isEmpty()) {
            return table;
        }
        Endpoint database = destination.get();
        try {
            String path = TableName.parse(table).absolutePath(database.database());
            Inside.destination(database).check(section, DST_TABLE, table, path, "a table");
            return path;
        } catch (IllegalArgumentException invalid) {
            section.wrong(
                    DST_TABLE,
                    table,
                    String.valueOf(invalid.getMessage()),
                    "name the destination table by its full path");
            return table;
        }
    }

    private static boolean continues(Section section) {
        String text = section.text(PROBLEM_STRATEGY);
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "stop" -> false;
            case "continue" -> true;
            default -> {
                section.wrong(
                        PROBLEM_STRATEGY, text, "is no strategy", "choose STOP, which is the default, or CONTINUE");
                yield false;
            }
        };
    }

    /** Two readers of one consumer would each get a part of the partitions, and neither all barriers. */
    private void refuseRepetition(Section section, String topic, String consumer) {
        if (topic.isEmpty() || consumer.isEmpty()) {
            return;
        }
        String first = seen.putIfAbsent(List.of(topic, consumer), section.pathOf(CONSUMER));
        if (first != null) {
            section.wrong(
                    CONSUMER,
                    consumer,
                    "reads topic " + topic + " already at " + first,
                    "remove one of the two, or give it a consumer of its own");
        }
    }
}
