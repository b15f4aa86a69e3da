package io.aardappel.replicator.config;

import static io.aardappel.contract.ConfigKeys.CONSUMER;
import static io.aardappel.contract.ConfigKeys.DST_TABLE;
import static io.aardappel.contract.ConfigKeys.MON_TAG;
import static io.aardappel.contract.ConfigKeys.PROBLEM_STRATEGY;
import static io.aardappel.contract.ConfigKeys.SRC_TOPIC;
import static io.aardappel.contract.ConfigKeys.STATE_TABLE;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The list of streams. Not thread-safe. */
final class StreamSections {
    private final Optional<Endpoint> source;
    private final Optional<Endpoint> destination;
    private final Set<String> stateTables;
    private final Map<List<String>, String> seen = new HashMap<>();

    /**
     * Where a side is empty its paths cannot be judged and are not.
     *
     * @param stateTables absolute paths that no stream may be written to
     */
    StreamSections(Optional<Endpoint> source, Optional<Endpoint> destination, Set<String> stateTables) {
        this.source = source;
        this.destination = destination;
        this.stateTables = stateTables;
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
        section.checkConsumer(CONSUMER, consumer);
        String topicPath = topic.isEmpty() || source.isEmpty()
                ? topic
                : Inside.source(source.get()).topic(section, SRC_TOPIC, topic);
        String tablePath = table.isEmpty() || destination.isEmpty()
                ? table
                : Inside.destination(destination.get()).table(section, DST_TABLE, table);
        refuseStateTable(section, table, tablePath);
        refuseRepetition(section, topicPath, consumer);
        return new StreamConfig(topic, topicPath, consumer, table, tablePath, continues, tag.isEmpty() ? topic : tag);
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

    /** Its rows would be taken for the checkpoint, and the checkpoint for a row. */
    private void refuseStateTable(Section section, String table, String path) {
        if (stateTables.contains(path)) {
            section.wrong(
                    DST_TABLE,
                    table,
                    "is " + STATE_TABLE + " or one of the tables beside it, which hold the checkpoint",
                    "name the table that the stream is copied to, or another " + STATE_TABLE);
        }
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
