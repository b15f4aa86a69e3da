package io.aardappel.replicator.core;

import io.aardappel.replicator.core.Problem.Reason;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;

/**
 * Which streams the checkpoint stands for, and whether the configuration is about the same ones. An old configuration, which
 * would silently leave a stream behind, can never run unnoticed.
 *
 * @param rows of all configured streams, in their order
 * @param changed those that are to be written
 * @param problems why the configuration is refused; empty when it is accepted
 */
public record Membership(List<StreamRow> rows, List<StreamRow> changed, List<Problem> problems) {
    /** A topic as described. */
    public record Topic(long createdAt, List<PartitionInfo> partitions) {}

    /** Compares the configured streams with the recorded ones. */
    public static Membership check(List<StreamSpec> streams, SavedState saved, List<Topic> topics) {
        List<Problem> problems = new ArrayList<>(missing(streams, saved.streams()));
        if (saved.stage() == Stage.INITIAL_SCAN) {
            problems.addAll(sharedTables(streams));
        }
        List<StreamRow> rows = new ArrayList<>();
        List<StreamRow> changed = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            Optional<StreamRow> recorded = find(saved.streams(), streams.get(i));
            Optional<Problem> problem = recorded.isPresent()
                    ? differs(streams.get(i), recorded.get(), topics.get(i))
                    : refusesAdoption(streams.get(i), saved, topics.get(i));
            problem.ifPresent(problems::add);
            StreamRow row = recorded.orElse(member(streams.get(i), topics.get(i)));
            StreamRow then = (recorded.isEmpty() || !saved.vouched() ? asCommitted(row, topics.get(i)) : row)
                    .madeKnown(saved.tablesCreated().getOrDefault(row.table(), Position.ZERO));
            rows.add(then);
            if (recorded.isEmpty() || !then.equals(row)) {
                changed.add(then);
            }
        }
        return new Membership(rows, changed, problems);
    }

    private static StreamRow member(StreamSpec stream, Topic topic) {
        return new StreamRow(
                stream.topic(), stream.consumer(), stream.table(), topic.createdAt(), StreamState.MEMBER, Map.of());
    }

    /** Others moved the consumer in good faith: their commits are as good as ours. */
    private static StreamRow asCommitted(StreamRow row, Topic topic) {
        Map<Long, Long> committed = new HashMap<>();
        topic.partitions().forEach(partition -> committed.put(partition.id(), partition.committedOffset()));
        return row.raisedTo(committed, partition -> true);
    }

    private static Optional<StreamRow> find(List<StreamRow> rows, StreamSpec stream) {
        return rows.stream().filter(row -> row.isMember(stream)).findFirst();
    }

    private static List<Problem> missing(List<StreamSpec> streams, List<StreamRow> rows) {
        return rows.stream()
                .filter(row -> row.state() != StreamState.REMOVED)
                .filter(row -> streams.stream()
                        .noneMatch(stream -> row.topic().equals(stream.topic())
                                && row.consumer().equals(stream.consumer())))
                .map(row -> new Problem(
                        Reason.STREAM_MISSING,
                        "the checkpoint stands for stream %s (consumer %s, table %s), which the configuration does not name"
                                .formatted(row.topic(), row.consumer(), row.table()),
                        "Put it back into streams; or, with every process stopped, take it out: bin/replicator members remove"
                                + " -config FILE --topic %s --consumer %s".formatted(row.topic(), row.consumer())))
                .toList();
    }

    private static Optional<Problem> differs(StreamSpec stream, StreamRow row, Topic topic) {
        if (row.topicCreatedAt() != topic.createdAt()) {
            return Optional.of(new Problem(
                    Reason.TOPIC_RECREATED,
                    "topic %s was created at %s, but the checkpoint stands for one of that name created at %s"
                            .formatted(stream.topic(), utc(topic.createdAt()), utc(row.topicCreatedAt())),
                    Anew.bringInBeforeAll(stream)));
        }
        if (!row.table().equals(stream.table())) {
            return Optional.of(new Problem(
                    Reason.STREAM_NOT_MEMBER,
                    "stream %s is recorded with table %s, the configuration says %s"
                            .formatted(stream.topic(), row.table(), stream.table()),
                    "Restore dst_table; or, if another table is meant: " + Anew.bringIn(stream)));
        }
        return Optional.empty();
    }

    /** As ISO 8601 writes it, to the millisecond. */
    private static String utc(long millis) {
        Calendar time = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        time.setTimeInMillis(millis);
        return String.format(Locale.ROOT, "%1$tFT%1$tT.%1$tLZ", time);
    }

    /**
     * In a scan every stream is brought in; so it is from the very beginning; else its past must have been applied. A scan that
     * is ours has read nothing of a stream that our rows do not name, so that all of it must still be given to us. One that we
     * have no rows of is a predecessor's, who may have read already, and is believed.
     */
    private static Optional<Problem> refusesAdoption(StreamSpec stream, SavedState saved, Topic topic) {
        if (saved.stage() == Stage.INITIAL_SCAN || saved.checkpoint().equals(Position.ZERO)) {
            return saved.instance()
                    .flatMap(ours -> Beginning.lack(stream, topic.partitions()))
                    .map(lack -> new Problem(
                            Reason.STREAM_NOT_MEMBER,
                            "stream %s cannot be scanned: %s".formatted(stream.topic(), lack.what()),
                            lack.remedy(stream)));
        }
        if (saved.instance().isPresent()) {
            return Optional.of(notMember(stream, "it is not among the recorded members"));
        }
        if (Long.compareUnsigned(topic.createdAt(), saved.checkpoint().step()) > 0) {
            return Optional.of(notMember(stream, "its topic was created above the checkpoint " + saved.checkpoint()));
        }
        return topic.partitions().stream()
                .filter(partition -> partition.parents().isEmpty() && partition.committedOffset() == 0)
                .findFirst()
                .map(partition -> notMember(
                        stream,
                        "its consumer %s never committed in partition %d"
                                .formatted(stream.consumer(), partition.id())));
    }

    private static Problem notMember(StreamSpec stream, String why) {
        return new Problem(
                Reason.STREAM_NOT_MEMBER,
                "stream %s cannot go on from the checkpoint: %s".formatted(stream.topic(), why),
                "Bring it in anew, with every process stopped (" + Anew.PAGE + "), or begin a new"
                        + " instance for it");
    }

    /** The streams that write a table which one before them writes, too. */
    public static List<StreamSpec> sharing(List<StreamSpec> streams) {
        Set<String> seen = new HashSet<>();
        return streams.stream().filter(stream -> !seen.add(stream.table())).toList();
    }

    private static List<Problem> sharedTables(List<StreamSpec> streams) {
        return sharing(streams).stream()
                .map(stream -> new Problem(
                        Reason.SHARED_TABLE,
                        "stream %s writes table %s, which another stream writes too, and the stage is INITIAL_SCAN"
                                .formatted(stream.topic(), stream.table()),
                        "Two streams can share a table only in stage RUN: scan them into tables of their own"))
                .toList();
    }
}
