package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.ReplayTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/** Statements about the audit of replayed letters, and about what was decided of their records. */
final class ReplayRows {
    private static final RowForm FORM = new RowForm(
            List.of(
                    ReplayTable.ID,
                    ReplayTable.TOPIC,
                    ReplayTable.CONSUMER,
                    ReplayTable.LETTER,
                    ReplayTable.WHO,
                    ReplayTable.OPERATION,
                    ReplayTable.DST_TABLE,
                    ReplayTable.OVERRULED),
            List.of(ReplayTable.PARTITION, ReplayTable.OFFSET, ReplayTable.STEP_ID, ReplayTable.TX_ID),
            ReplayTable.REPLAYED_AT);

    private ReplayRows() {}

    /** Adds one row, with the time of the server. */
    static Statement insert(String table, String instanceId, Replays.Replay replay) {
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
        TypedValue parameter = FORM.parameter(List.of(row));
        return Statement.plain(FORM.upsertHead(table), RowForm.UPSERT_TAIL, parameter, parameter.getSerializedSize());
    }

    /**
     * The row that is named by the record, a decision about its whole position whatever names it, and its last replay: two
     * result sets, or three.
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
        parameters.put("$skip_all", Params.utf8(DecisionTable.SKIP_ALL));
        parameters.put("$apply_all", Params.utf8(DecisionTable.APPLY_ALL));
        String text = "SELECT " + DecisionTable.ACTION + ", " + DecisionTable.DECIDED_BY + ", " + DecisionTable.REASON
                + " FROM " + decisions + ofRecord
                + " AND step_id = $step AND tx_id = $tx;\nSELECT " + DecisionTable.ACTION + ", "
                + DecisionTable.DECIDED_BY + " FROM " + decisions
                + " WHERE id = $id AND step_id = $step AND tx_id = $tx"
                + " AND (action = $skip_all OR action = $apply_all);\n";
        if (!replays.isEmpty()) {
            text += "SELECT " + ReplayTable.REPLAYED_AT + ", " + ReplayTable.WHO + " FROM " + replays + ofRecord
                    + " AND step_id = $step AND tx_id = $tx ORDER BY " + ReplayTable.REPLAYED_AT + " DESC LIMIT 1;\n";
        }
        return Call.of(text, parameters);
    }
}
