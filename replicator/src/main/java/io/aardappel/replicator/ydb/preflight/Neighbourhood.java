package io.aardappel.replicator.ydb.preflight;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.SourceEvent.Described;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.Neighbour;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Who else, by the same state table, has to do with streams that a start would begin. What belongs to another instance must
 * be neither emptied nor read from the beginning, whether that one runs or stands still. What other state tables hold cannot be
 * seen. Pure; thread-safe.
 */
public final class Neighbourhood {
    private final String stateTable;
    private final String database;
    private final List<Neighbour> neighbours;
    private final Optional<String> unread;
    private final Function<StreamSpec, Optional<Described>> topics;

    private Neighbourhood(
            String stateTable,
            String database,
            List<Neighbour> neighbours,
            Optional<String> unread,
            Function<StreamSpec, Optional<Described>> topics) {
        this.stateTable = stateTable;
        this.database = database;
        this.neighbours = neighbours;
        this.unread = unread;
        this.topics = topics;
    }

    /**
     * By what was read.
     *
     * @param database absolute path that relative table names belong to
     * @param topics a stream's topic as it is now; empty when it cannot be described
     */
    public static Neighbourhood of(
            Answer<List<Neighbour>> read,
            TableName stateTable,
            String database,
            Function<StreamSpec, Optional<Described>> topics) {
        String path = stateTable.absolutePath(database);
        return read instanceof Answer.Read<List<Neighbour>> known
                ? new Neighbourhood(path, database, known.value(), Optional.empty(), topics)
                : new Neighbourhood(
                        path,
                        database,
                        List.of(),
                        Optional.of(((Answer.Unreadable<List<Neighbour>>) read).why()),
                        topics);
    }

    /** Of an instance that begins nothing: what others do is as it was when its streams were begun. */
    public static Neighbourhood none() {
        return new Neighbourhood("", "", List.of(), Optional.empty(), stream -> Optional.empty());
    }

    /**
     * An error for each stream that another instance reads by the same consumer: the offsets that one of them commits are an
     * end to the other. A warning for each whose table only is another's.
     *
     * @param begun streams that a start would begin
     */
    public List<Finding> check(List<StreamSpec> begun) {
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : begun) {
            for (Neighbour neighbour : neighbours) {
                Optional<Neighbour.Stream> reading = neighbour.streams().stream()
                        .filter(theirs -> reads(theirs, stream))
                        .findFirst();
                Optional<Neighbour.Stream> writing = neighbour.streams().stream()
                        .filter(theirs -> writes(theirs, stream.table()))
                        .findFirst();
                reading.map(theirs -> sharedConsumer(stream, neighbour, theirs))
                        .or(() -> writing.map(theirs -> sharedTable(stream, neighbour, theirs)))
                        .ifPresent(findings::add);
            }
        }
        return findings;
    }

    private Finding sharedConsumer(StreamSpec stream, Neighbour neighbour, Neighbour.Stream theirs) {
        return Finding.error(
                stream.topic(),
                "instance " + neighbour.instance() + ", recorded in " + stateTable
                        + ", replicates this stream by the same consumer " + stream.consumer()
                        + (writes(theirs, stream.table()) ? " into the same table " : " into table ") + theirs.table()
                        + "; " + lock(neighbour),
                Neighbour.howToKeepApart(neighbour.instance()));
    }

    private Finding sharedTable(StreamSpec stream, Neighbour neighbour, Neighbour.Stream theirs) {
        return Finding.warning(
                TableName.parse(stream.table()).absolutePath(database),
                "instance " + neighbour.instance() + ", recorded in " + stateTable + ", writes this table, too, from "
                        + theirs.topic() + " by consumer " + theirs.consumer() + "; " + lock(neighbour)
                        + ". An initial scan would put older rows over newer ones of it",
                "Name a table that no other instance writes, and leave this one's rows alone; to go on with that copy,"
                        + " use its name, instance_id: " + neighbour.instance()
                        + "; go on only if the keys of both never meet");
    }

    private static String lock(Neighbour neighbour) {
        return neighbour
                .holder()
                .map(holder -> "its lock is held by " + holder.owner())
                .or(() -> neighbour.freeSince().map(since -> "its lock is free since " + since))
                .orElse("its lock is free");
    }

    /** Whether a neighbour writes the table. */
    boolean writes(String table) {
        return neighbours.stream()
                .flatMap(neighbour -> neighbour.streams().stream())
                .anyMatch(theirs -> writes(theirs, table));
    }

    /** Whether a neighbour reads the stream by the same consumer. */
    boolean reads(StreamSpec stream) {
        return neighbours.stream()
                .flatMap(neighbour -> neighbour.streams().stream())
                .anyMatch(theirs -> reads(theirs, stream));
    }

    /** Why it is not known whether somebody else uses what no neighbour is recorded with; empty where nobody is seen to. */
    Optional<String> doubt() {
        if (unread.isPresent()) {
            return Optional.of("whether another instance uses it could not be seen: " + unread.get());
        }
        String strangers = neighbours.stream()
                .filter(neighbour -> !neighbour.isRecorded())
                .map(Neighbour::instance)
                .collect(Collectors.joining(", "));
        return strangers.isEmpty()
                ? Optional.empty()
                : Optional.of("it is not recorded which streams these instances in " + stateTable + " have: "
                        + strangers + " (the Go program records none)");
    }

    private boolean writes(Neighbour.Stream theirs, String table) {
        return theirs.table().equals(TableName.parse(table).absolutePath(database));
    }

    private boolean reads(Neighbour.Stream theirs, StreamSpec stream) {
        return theirs.topic().equals(stream.topic())
                && theirs.consumer().equals(stream.consumer())
                && isSameTopic(theirs, topics.apply(stream));
    }

    /** Another source may have one of the same path. Where that is not known it is taken for the same. */
    private static boolean isSameTopic(Neighbour.Stream theirs, Optional<Described> now) {
        return theirs.topicCreatedAt() == 0 || now.isEmpty() || now.get().topicCreatedAt() == theirs.topicCreatedAt();
    }
}
