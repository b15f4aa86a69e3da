package io.aardappel.operator.state;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.Membership;
import io.aardappel.contract.State;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.operator.act.StateChangeException;
import io.aardappel.operator.plan.StreamKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.result.ValueReader;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.Type;
import tech.ydb.table.values.Value;

/**
 * The rows of one instance, and what may be done to them. What needs the lock takes it, acts and gives it up in one transaction:
 * the row then names another owner and carries another commit number, so that a program whose lock had run out, and which does
 * not know of it, can commit no more. One thread only.
 */
final class InstanceRows {
    private final StateTransactions transactions;
    private final TableName stateTable;
    private final String instanceId;
    private final String owner;
    private long attempts;

    /** Acts as this owner, which nobody else has or had. */
    InstanceRows(StateTransactions transactions, TableName stateTable, String instanceId, String owner) {
        this.transactions = transactions;
        this.stateTable = stateTable;
        this.instanceId = instanceId;
        this.owner = owner;
    }

    /**
     * The row in the state table.
     *
     * @param owner who holds the lock, or held it last; empty when nobody
     * @param deadline until when, null when nobody ever held it
     * @param free whether anybody may take the lock, by the servers' clock
     */
    private record StateRow(
            String state,
            String lastMessage,
            String owner,
            @Nullable Instant deadline,
            boolean free) {}

    /**
     * Our row beside it.
     *
     * @param commitSeq unsigned
     * @param updatedAt when the last transaction was, null when that is not noted
     */
    private record OurRow(long commitSeq, @Nullable Instant updatedAt) {}

    /**
     * Sets the state to OK where it is FATAL_ERROR with this message. Who holds the lock does not count: a program that ended so may
     * have left it to run out.
     *
     * @throws StateChangeException when the row has another message
     */
    void clearFatal(String lastMessage) throws CallFailedException {
        transactions.run(transaction -> {
            Optional<StateRow> row = readState(transaction, tablesThere())
                    .filter(found -> found.state().equals(State.FATAL_ERROR.name()));
            if (row.isEmpty()) {
                return;
            }
            if (!row.get().lastMessage().equals(lastMessage)) {
                throw refused("FATAL_ERROR is not cleared, because it is another one now: "
                        + row.get().lastMessage() + ". Repair what it names as well, and order it anew");
            }
            transaction.commit(
                    "UPDATE " + stateTable.quoted() + " SET state = $state, last_msg = NULL WHERE id = $id;",
                    params().put("$state", text(State.OK.name())));
        });
    }

    /**
     * Takes streams out of the members; those that are none are left as they are.
     *
     * @throws StateChangeException when one of them is a member and somebody holds the lock
     */
    void removeMembers(List<StreamKey> streams) throws CallFailedException {
        transactions.run(transaction -> {
            Set<TableName> there = tablesThere();
            Optional<StateRow> row = readState(transaction, there);
            Optional<OurRow> ours = readOurs(transaction, there);
            List<StreamKey> members = readMembers(transaction, there);
            members.retainAll(Set.copyOf(streams));
            if (members.isEmpty()) {
                return;
            }
            refuseWhileHeld(
                    row, ours, members.size() + " streams are not taken out, " + members.get(0) + " among them");
            if (there.contains(DecisionTable.beside(stateTable))) {
                forgetDecisions(transaction, members);
            }
            StringBuilder text = new StringBuilder();
            Params params = params();
            markRemoved(members, text, params);
            mark(row, ours, text, params);
            transaction.commit(text.toString(), params);
        });
    }

    /**
     * Deletes every row of the instance, in whichever of the tables there are.
     *
     * @throws StateChangeException when somebody holds the lock
     */
    void delete() throws CallFailedException {
        transactions.run(transaction -> {
            Set<TableName> there = tablesThere();
            Optional<StateRow> row = readState(transaction, there);
            refuseWhileHeld(row, readOurs(transaction, there), "its rows are not removed");
            for (TableName table : there) {
                transaction.execute("SELECT COUNT(*) AS n FROM " + table.quoted() + " WHERE id = $id;", params());
            }
            // a table that is made from here on gets rows only under a lock that is taken from here on
            if (!there.equals(tablesThere())) {
                throw CallFailedException.passing("tables are being made");
            }
            if (!there.isEmpty()) {
                transaction.commit(
                        there.stream()
                                .map(table -> "DELETE FROM " + table.quoted() + " WHERE id = $id;\n")
                                .collect(Collectors.joining()),
                        params());
            }
        });
    }

    /** An instance that only the Go program ran has the state table alone. */
    private Set<TableName> tablesThere() throws CallFailedException {
        Set<TableName> there = new LinkedHashSet<>();
        for (TableName table : StateTable.withThoseBeside(stateTable)) {
            if (transactions.isThere(table)) {
                there.add(table);
            }
        }
        return there;
    }

    private Optional<StateRow> readState(StateTransactions.Open transaction, Set<TableName> there)
            throws CallFailedException {
        if (!there.contains(stateTable)) {
            return Optional.empty();
        }
        return first(transaction.execute(
                        "SELECT state, last_msg, lock_owner, lock_deadline, " + StateTable.LOCK_IS_FREE
                                + " AS lock_is_free FROM " + stateTable.quoted() + " WHERE id = $id;",
                        params()))
                .map(row -> new StateRow(
                        text(row, StateTable.STATE),
                        text(row, StateTable.LAST_MSG),
                        text(row, StateTable.LOCK_OWNER),
                        time(row, StateTable.LOCK_DEADLINE),
                        isTrue(row, "lock_is_free")));
    }

    private Optional<OurRow> readOurs(StateTransactions.Open transaction, Set<TableName> there)
            throws CallFailedException {
        TableName table = InstanceTable.beside(stateTable);
        if (!there.contains(table)) {
            return Optional.empty();
        }
        return first(transaction.execute(
                        "SELECT commit_seq, updated_at FROM " + table.quoted() + " WHERE id = $id;", params()))
                .map(row -> new OurRow(number(row, InstanceTable.COMMIT_SEQ), time(row, InstanceTable.UPDATED_AT)));
    }

    /** All that are not removed, also those that are on their way in or failed. */
    private List<StreamKey> readMembers(StateTransactions.Open transaction, Set<TableName> there)
            throws CallFailedException {
        List<StreamKey> members = new ArrayList<>();
        TableName table = StreamTable.beside(stateTable);
        if (!there.contains(table)) {
            return members;
        }
        QueryReader answer = transaction.execute(
                "SELECT topic, consumer, state FROM " + table.quoted() + " WHERE id = $id;", params());
        for (ResultSetReader row : answer) {
            while (row.next()) {
                if (!text(row, StreamTable.STATE).equals(Membership.REMOVED.word())) {
                    members.add(new StreamKey(text(row, StreamTable.TOPIC), text(row, StreamTable.CONSUMER)));
                }
            }
        }
        return members;
    }

    /** Whose name stands in the row does not count, only its deadline: so it is for replicators and for the Go program. */
    private void refuseWhileHeld(Optional<StateRow> row, Optional<OurRow> ours, String consequence) {
        if (row.isEmpty() || row.get().free()) {
            return;
        }
        StateRow held = row.get();
        String lastCommit = ours.map(OurRow::updatedAt)
                .map(at -> "; the last transaction was at " + at)
                .orElse("");
        throw refused(consequence + ", because " + (held.owner().isEmpty() ? "somebody without a name" : held.owner())
                + " holds the lock until " + held.deadline() + lastCommit
                + ". End that program, or wait until its lock has run out");
    }

    private StateChangeException refused(String why) {
        return new StateChangeException("instance " + instanceId + " in state table " + stateTable.path() + ": " + why);
    }

    private void markRemoved(List<StreamKey> members, StringBuilder text, Params params) {
        Value<?>[] rows = members.stream()
                .map(stream -> StructValue.of(
                        StreamTable.CONSUMER, text(stream.consumer()),
                        StreamTable.ID, text(instanceId),
                        StreamTable.STATE, text(Membership.REMOVED.word()),
                        StreamTable.TOPIC, text(stream.topic())))
                .toArray(Value[]::new);
        text.append("UPSERT INTO ")
                .append(StreamTable.beside(stateTable).quoted())
                .append(
                        " (id, topic, consumer, state, updated_at)"
                                + " SELECT id, topic, consumer, state, CurrentUtcTimestamp() AS updated_at FROM AS_TABLE($streams);\n");
        params.put("$streams", ListValue.of(rows));
    }

    /** One call for each consumer, of which there are few; a text may have ten kilobytes. */
    private void forgetDecisions(StateTransactions.Open transaction, List<StreamKey> members)
            throws CallFailedException {
        Map<String, List<StreamKey>> byConsumer =
                members.stream().collect(Collectors.groupingBy(StreamKey::consumer, TreeMap::new, Collectors.toList()));
        for (Map.Entry<String, List<StreamKey>> one : byConsumer.entrySet()) {
            Value<?>[] topics =
                    one.getValue().stream().map(stream -> text(stream.topic())).toArray(Value[]::new);
            transaction.execute(
                    DecisionTable.forgetStreams(stateTable, "$topics", "$consumer"),
                    params().put("$topics", ListValue.of(topics)).put("$consumer", text(one.getKey())));
        }
    }

    /** The lock was ours and is free again; our row has one transaction more. What is not there is not made. */
    private void mark(Optional<StateRow> row, Optional<OurRow> ours, StringBuilder text, Params params) {
        if (row.isPresent()) {
            text.append("UPSERT INTO ")
                    .append(stateTable.quoted())
                    .append(" (id, lock_owner, lock_deadline) VALUES ($id, $owner, CurrentUtcTimestamp());\n");
        }
        if (ours.isPresent()) {
            attempts++;
            text.append("UPSERT INTO ")
                    .append(InstanceTable.beside(stateTable).quoted())
                    .append(" (id, commit_seq, owner, attempt, updated_at)"
                            + " VALUES ($id, $commit_seq, $owner, $attempt, CurrentUtcTimestamp());\n");
            params.put("$commit_seq", PrimitiveValue.newUint64(ours.get().commitSeq() + 1));
            params.put("$attempt", PrimitiveValue.newUint64(attempts));
        }
        if (row.isPresent() || ours.isPresent()) {
            params.put("$owner", text(owner));
        }
    }

    private Params params() {
        return Params.create().put("$id", text(instanceId));
    }

    private static PrimitiveValue text(String text) {
        return PrimitiveValue.newText(text);
    }

    private static Optional<ResultSetReader> first(QueryReader answer) {
        for (ResultSetReader part : answer) {
            if (part.next()) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private static boolean isNull(ValueReader value) {
        return value.getType().getKind() == Type.Kind.OPTIONAL && !value.isOptionalItemPresent();
    }

    private static String text(ResultSetReader row, String column) {
        ValueReader value = row.getColumn(column);
        return isNull(value) ? "" : value.getText();
    }

    private static long number(ResultSetReader row, String column) {
        ValueReader value = row.getColumn(column);
        return isNull(value) ? 0 : value.getUint64();
    }

    private static @Nullable Instant time(ResultSetReader row, String column) {
        ValueReader value = row.getColumn(column);
        return isNull(value) ? null : value.getTimestamp();
    }

    private static boolean isTrue(ResultSetReader row, String column) {
        ValueReader value = row.getColumn(column);
        return !isNull(value) && value.getBool();
    }
}
