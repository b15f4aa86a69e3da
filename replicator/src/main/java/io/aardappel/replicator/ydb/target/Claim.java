package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.Membership;
import io.aardappel.contract.StreamTable;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * That no other instance of the state table replicates a stream which this one begins, by the same consumer. A start looks for
 * such an instance, but two that begin at once may both see none. So it is looked for again within the transaction that records
 * the streams: it reads what the other's writes, and of two that overlap the server lets one through. Immutable.
 */
final class Claim {
    private static final Logger log = LoggerFactory.getLogger(Claim.class);
    /** More would not say more. */
    private static final int ROWS_MOST = 1_000;

    /** A stream as its instance has it. */
    private record Name(String topic, String consumer) {}

    private final YdbTarget.Identity identity;
    private final List<StreamRow> begun;

    /** @param begun rows of this instance that are not recorded yet; not empty */
    private Claim(YdbTarget.Identity identity, List<StreamRow> begun) {
        this.identity = identity;
        this.begun = List.copyOf(begun);
    }

    /**
     * For what a batch begins; absent where that is nothing.
     *
     * @param written stream rows of the batch
     * @param recorded members as they were read or written last
     */
    static Optional<Claim> of(YdbTarget.Identity identity, List<StreamRow> written, List<StreamRow> recorded) {
        List<StreamRow> begun = written.stream()
                .filter(row -> row.state() == StreamState.MEMBER)
                .filter(row -> recorded.stream().noneMatch(known -> isSame(known, row)))
                .toList();
        return begun.isEmpty() ? Optional.empty() : Optional.of(new Claim(identity, begun));
    }

    private static boolean isSame(StreamRow known, StreamRow row) {
        return known.state() != StreamState.REMOVED
                && known.topic().equals(row.topic())
                && known.consumer().equals(row.consumer());
    }

    /** Those of others that read by the same names, then those that write the same tables: two result sets. */
    Call read() {
        String select = "SELECT id, topic, consumer, dst_table, topic_created_at FROM "
                + StreamTable.beside(identity.stateTable()).quoted() + " WHERE id != $id AND state != $removed AND ";
        String end = " LIMIT " + ROWS_MOST + ";\n";
        Map<String, TypedValue> parameters = new HashMap<>();
        parameters.put("$id", Params.utf8(identity.instanceId()));
        parameters.put("$removed", Params.utf8(Membership.REMOVED.word()));
        parameters.put("$topics", texts(begun.stream().map(StreamRow::topic)));
        parameters.put("$consumers", texts(begun.stream().map(StreamRow::consumer)));
        parameters.put("$tables", texts(begun.stream().map(StreamRow::table)));
        return Call.of(
                select + "topic IN $topics AND consumer IN $consumers" + end + select + "dst_table IN $tables" + end,
                parameters);
    }

    private static TypedValue texts(Stream<String> texts) {
        return Params.utf8s(texts.distinct().sorted().toList());
    }

    /** Why the streams must not be recorded, absent where they may; a table that is shared is told in the log. */
    Optional<Problem> refusal(ExecuteQueryResult read) {
        Map<Name, StreamRow> ours = new HashMap<>();
        begun.forEach(row -> ours.put(new Name(row.topic(), row.consumer()), row));
        for (ResultRow theirs : ResultRow.all(read.getResultSets(0))) {
            StreamRow row = ours.get(new Name(text(theirs, StreamTable.TOPIC), text(theirs, StreamTable.CONSUMER)));
            if (row != null && isSameTopic(theirs, row)) {
                return Optional.of(refusal(row, theirs));
            }
        }
        warnOfTables(ResultRow.all(read.getResultSets(1)));
        return Optional.empty();
    }

    /** Another source may have one of the same path. Where that is not known it is taken for the same. */
    private static boolean isSameTopic(ResultRow theirs, StreamRow row) {
        Long created = theirs.number(StreamTable.CREATED_AT);
        return created == null || created == 0 || created == row.topicCreatedAt();
    }

    private Problem refusal(StreamRow row, ResultRow theirs) {
        String instance = text(theirs, StreamTable.ID);
        return new Problem(
                Problem.Reason.SHARED_CONSUMER,
                "stream %s: instance %s, recorded in %s at the same time, replicates it by the same consumer %s into table %s"
                        .formatted(
                                row.topic(),
                                instance,
                                identity.stateTable().path(),
                                row.consumer(),
                                text(theirs, StreamTable.DST_TABLE)),
                Neighbour.howToKeepApart(instance));
    }

    private static void warnOfTables(List<ResultRow> sharing) {
        Map<String, Set<String>> instances = new TreeMap<>();
        for (ResultRow theirs : sharing) {
            instances
                    .computeIfAbsent(text(theirs, StreamTable.DST_TABLE), table -> new TreeSet<>())
                    .add(text(theirs, StreamTable.ID));
        }
        instances.forEach((table, names) -> log.atWarn()
                .setMessage("another instance writes this table, too")
                .addKeyValue("table", table)
                .addKeyValue("instances", names)
                .addKeyValue(
                        "text",
                        "an initial scan puts older rows over newer ones of it; go on only if the keys of both never meet")
                .log());
    }

    private static String text(ResultRow row, String column) {
        return Objects.requireNonNullElse(row.text(column), "");
    }
}
