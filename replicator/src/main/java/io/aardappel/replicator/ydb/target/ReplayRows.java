package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.ReplayTable;
import io.aardappel.replicator.core.DecisionRow.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/** Statements about the audit of replayed letters, and about what was decided of their records. */
final class ReplayRows {
    private static final List<String> TEXT_COLUMNS = List.of(
            ReplayTable.ID,
            ReplayTable.TOPIC,
            ReplayTable.CONSUMER,
            ReplayTable.LETTER,
            ReplayTable.WHO,
            ReplayTable.OPERATION,
            ReplayTable.DST_TABLE,
            ReplayTable.OVERRULED);
    private static final List<String> NUMBER_COLUMNS =
            List.of(ReplayTable.PARTITION, ReplayTable.OFFSET, ReplayTable.STEP_ID, ReplayTable.TX_ID);
    private static final String COLUMNS = String.join(", ", TEXT_COLUMNS) + ", " + String.join(", ", NUMBER_COLUMNS);

    private ReplayRows() {}

    /** Adds one row, with the time of the server. */
    static Statement insert(String table, String instanceId, Replays.Replay replay) {
        StructType.Builder struct = StructType.newBuilder();
        TEXT_COLUMNS.forEach(column -> struct.addMembers(member(column, Params.UTF8)));
        NUMBER_COLUMNS.forEach(column -> struct.addMembers(member(column, Params.UINT64)));
        Replays.RecordName record = replay.record();
        Value row = Value.newBuilder()
                .addItems(Params.text(instanceId))
                .addItems(Params.text(record.topic()))
                .addItems(Params.text(record.consumer()))
                .addItems(Params.text(replay.letter()))
                .addItems(Params.text(replay.who()))
                .addItems(Params.text(replay.change().operation().name().toLowerCase(Locale.ROOT)))
                .addItems(Params.text(replay.table()))
                .addItems(Params.text(replay.overruled()))
                .addItems(Params.number(record.partition()))
                .addItems(Params.number(record.offset()))
                .addItems(Params.number(record.position().step()))
                .addItems(Params.number(record.position().txId()))
                .build();
        TypedValue parameter = TypedValue.newBuilder()
                .setType(Type.newBuilder()
                        .setListType(
                                ListType.newBuilder().setItem(Type.newBuilder().setStructType(struct))))
                .setValue(Value.newBuilder().addItems(row))
                .build();
        String head = "UPSERT INTO " + table + " (" + COLUMNS + ", " + ReplayTable.REPLAYED_AT + ") SELECT " + COLUMNS
                + ", CurrentUtcTimestamp() AS " + ReplayTable.REPLAYED_AT + " FROM AS_TABLE(";
        return Statement.plain(head, ");\n", parameter, parameter.getSerializedSize());
    }

    private static StructMember member(String column, Type type) {
        return StructMember.newBuilder().setName(column).setType(type).build();
    }

    /**
     * The record's own decision, a decision about its whole position, and its last replay: two result sets, or three.
     *
     * @param replays empty where there is no such table
     */
    static Call standing(String decisions, String replays, TypedValue id, Replays.RecordName record) {
        String ofRecord = " WHERE id = $id AND topic = $topic AND consumer = $consumer AND partition_id = $partition"
                + " AND topic_offset = $offset";
        Map<String, TypedValue> parameters = new LinkedHashMap<>();
        parameters.put("$id", id);
        parameters.put("$topic", Params.utf8(record.topic()));
        parameters.put("$consumer", Params.utf8(record.consumer()));
        parameters.put("$partition", Params.uint64(record.partition()));
        parameters.put("$offset", Params.uint64(record.offset()));
        parameters.put("$step", Params.uint64(record.position().step()));
        parameters.put("$tx", Params.uint64(record.position().txId()));
        parameters.put("$skip_all", Params.utf8(Action.SKIP_ALL.name().toLowerCase(Locale.ROOT)));
        String text =
                "SELECT " + DecisionTable.ACTION + ", " + DecisionTable.DECIDED_BY + " FROM " + decisions + ofRecord
                        + " AND step_id = $step AND tx_id = $tx;\nSELECT " + DecisionTable.OFFSET + " FROM " + decisions
                        + " WHERE id = $id AND step_id = $step AND tx_id = $tx AND action = $skip_all;\n";
        if (!replays.isEmpty()) {
            text += "SELECT " + ReplayTable.REPLAYED_AT + ", " + ReplayTable.WHO + " FROM " + replays + ofRecord
                    + " AND step_id = $step AND tx_id = $tx ORDER BY " + ReplayTable.REPLAYED_AT + " DESC LIMIT 1;\n";
        }
        return Call.of(text, parameters);
    }
}
