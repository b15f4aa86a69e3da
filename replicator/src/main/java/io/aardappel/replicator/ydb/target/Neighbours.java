package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.StatusText;
import io.aardappel.contract.Membership;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.replicator.ydb.target.StateView.Holder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/** Reads who else keeps state in an instance's state table, page by page. Changes nothing. Waits; one thread only. */
final class Neighbours {
    private final Retries retries;
    private final YdbTarget.Identity identity;
    private final int pageRows;

    /** @param pageRows most rows that one answer can hold */
    Neighbours(Retries retries, YdbTarget.Identity identity, int pageRows) {
        this.retries = retries;
        this.identity = identity;
        this.pageRows = pageRows;
    }

    /** All but the instance itself, in the order of their names; none where the state table is absent. */
    Answer<List<Neighbour>> read() {
        List<ResultRow> states = new ArrayList<>();
        Status read = pages(states, this::states);
        if (!read.isSuccess()) {
            return read.getCode() == StatusCode.SCHEME_ERROR ? new Answer.Read<>(List.of()) : unreadable(read);
        }
        List<ResultRow> streams = new ArrayList<>();
        read = pages(streams, this::streams);
        if (!read.isSuccess() && read.getCode() != StatusCode.SCHEME_ERROR) { // the Go program makes no such table
            return unreadable(read);
        }
        Map<String, List<ResultRow>> recorded = new LinkedHashMap<>();
        streams.forEach(row -> recorded.computeIfAbsent(text(row, StreamTable.ID), instance -> new ArrayList<>())
                .add(row));
        return new Answer.Read<>(states.stream()
                .filter(row -> !text(row, StateTable.ID).equals(identity.instanceId()))
                .map(row -> neighbour(row, recorded.getOrDefault(text(row, StateTable.ID), List.of())))
                .toList());
    }

    private Answer<List<Neighbour>> unreadable(Status status) {
        return new Answer.Unreadable<>("state table " + identity.stateTable().path() + ": " + StatusText.of(status));
    }

    /** @param page gives the call for the rows behind one, or for the first ones */
    private Status pages(List<ResultRow> into, Function<@Nullable ResultRow, Call> page) {
        ResultRow last = null;
        int got;
        do {
            Result<ExecuteQueryResult> answer = retries.run(page.apply(last));
            if (!answer.isSuccess()) {
                return answer.getStatus();
            }
            List<ResultRow> rows = ResultRow.all(answer.getValue().getResultSets(0));
            into.addAll(rows);
            got = rows.size();
            last = got == 0 ? null : rows.get(got - 1);
        } while (got == pageRows);
        return Status.SUCCESS;
    }

    private Call states(@Nullable ResultRow last) {
        String select = "SELECT id, lock_owner, lock_deadline, CurrentUtcTimestamp() AS now FROM "
                + identity.stateTable().quoted();
        String end = " ORDER BY id LIMIT " + pageRows + ";\n";
        return last == null
                ? Call.of(select + end, Map.of())
                : Call.of(select + " WHERE id > $id" + end, Map.of("$id", Params.utf8(text(last, StateTable.ID))));
    }

    private Call streams(@Nullable ResultRow last) {
        String select = "SELECT id, topic, consumer, dst_table, state, topic_created_at FROM "
                + StreamTable.beside(identity.stateTable()).quoted();
        String end = " ORDER BY id, topic, consumer LIMIT " + pageRows + ";\n";
        return last == null
                ? Call.of(select + end, Map.of())
                : Call.of(
                        select + " WHERE id > $id OR (id = $id AND (topic > $topic"
                                + " OR (topic = $topic AND consumer > $consumer)))" + end,
                        Map.of(
                                "$id", Params.utf8(text(last, StreamTable.ID)),
                                "$topic", Params.utf8(text(last, StreamTable.TOPIC)),
                                "$consumer", Params.utf8(text(last, StreamTable.CONSUMER))));
    }

    private static Neighbour neighbour(ResultRow state, List<ResultRow> streams) {
        Optional<Holder> holder = holder(state);
        Long deadline = state.number(StateTable.LOCK_DEADLINE);
        Optional<Instant> freeSince = deadline == null || holder.isPresent()
                ? Optional.empty()
                : Optional.of(Instant.EPOCH.plus(deadline, ChronoUnit.MICROS));
        return new Neighbour(
                text(state, StateTable.ID),
                holder,
                freeSince,
                !streams.isEmpty(),
                streams.stream()
                        .filter(row -> !text(row, StreamTable.STATE).equals(Membership.REMOVED.word()))
                        .map(Neighbours::stream)
                        .toList());
    }

    private static Neighbour.Stream stream(ResultRow row) {
        Long created = row.number(StreamTable.CREATED_AT);
        return new Neighbour.Stream(
                text(row, StreamTable.TOPIC),
                text(row, StreamTable.CONSUMER),
                text(row, StreamTable.DST_TABLE),
                created == null ? 0 : created);
    }

    /**
     * Who holds a lock, absent when it is free.
     *
     * @param row with owner, deadline and, as {@code now}, the server's clock
     */
    static Optional<Holder> holder(ResultRow row) {
        Long deadline = row.number(StateTable.LOCK_DEADLINE);
        Long now = row.number("now");
        if (deadline == null || now == null || Long.compareUnsigned(deadline, now) <= 0) {
            return Optional.empty();
        }
        return Optional.of(
                new Holder(text(row, StateTable.LOCK_OWNER), Duration.of(deadline - now, ChronoUnit.MICROS)));
    }

    /** What a person left NULL is of no instance, stream or table that could be met. */
    private static String text(ResultRow row, String column) {
        String text = row.text(column);
        return text == null ? "" : text;
    }
}
