package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Format JSON: the kind of change first, then images, key and timestamp. */
record JsonFormat(Mode mode, boolean virtualTimestamps, boolean userSids) implements RecordFormat {
    private static final int[] NONE = {};

    @Override
    public byte[] data(FeedEvent event) {
        JsonBytes out = new JsonBytes().raw('{');
        change(out, event);
        images(out, event);
        out.raw(",\"key\":");
        event.shape().keyArray(out, event.key());
        if (virtualTimestamps) {
            out.raw(",\"ts\":");
            pair(out, event.timestamp());
        }
        String user = event.user();
        if (userSids && user != null) {
            out.raw(",\"user\":").string(user);
        }
        return out.raw('}').toBytes();
    }

    @Override
    public Map<String, byte[]> metadata(FeedEvent event) {
        return Map.of();
    }

    /** A barrier: all changes below {@code (step, 0)} are in the partition before it. */
    static byte[] barrier(long step) {
        JsonBytes out = new JsonBytes().raw("{\"resolved\":");
        pair(out, new VirtualTimestamp(step, 0));
        return out.raw('}').toBytes();
    }

    /** The columns of the table as they are from this timestamp on. */
    static byte[] schemaChange(TableSchema schema, VirtualTimestamp timestamp, boolean virtualTimestamps) {
        JsonBytes out = new JsonBytes().raw("{\"tableChanges\":[{\"table\":{\"schemaVersion\":");
        out.number(schema.version()).raw(",\"columns\":{");
        for (int i = 0; i < schema.columns().size(); i++) {
            out.raw(i > 0 ? "," : "").string(schema.columns().get(i).name()).raw(":{\"type\":");
            out.string(schema.columns().get(i).type().toString()).raw('}');
        }
        out.raw("},\"primaryKeyColumnNames\":[");
        for (int i = 0; i < schema.primaryKey().size(); i++) {
            out.raw(i > 0 ? "," : "").string(schema.primaryKey().get(i));
        }
        out.raw("]}}]");
        if (virtualTimestamps) {
            out.raw(",\"ts\":");
            pair(out, timestamp);
        }
        return out.raw('}').toBytes();
    }

    private void change(JsonBytes out, FeedEvent event) {
        @Nullable Object @Nullable [] after = event.after();
        switch (event.kind()) {
            case ERASE -> out.raw("\"erase\":{}");
            case RESET ->
                columns(out.raw("\"reset\":"), event, after, event.shape().valueOrdinals());
            case SCAN ->
                columns(out.raw("\"update\":"), event, after, event.shape().valueOrdinals());
            case UPSERT -> columns(out.raw("\"update\":"), event, after, event.written());
        }
    }

    private void columns(JsonBytes out, FeedEvent event, @Nullable Object @Nullable [] row, int[] ordinals) {
        if (row != null) {
            event.shape().columns(out, row, mode == Mode.UPDATES ? ordinals : NONE);
        }
    }

    private void images(JsonBytes out, FeedEvent event) {
        @Nullable Object @Nullable [] newImage = FeedImages.after(mode, event);
        if (newImage != null) {
            event.shape()
                    .columns(out.raw(",\"newImage\":"), newImage, event.shape().valueOrdinals());
        }
        @Nullable Object @Nullable [] oldImage = FeedImages.before(mode, event);
        if (oldImage != null) {
            event.shape()
                    .columns(out.raw(",\"oldImage\":"), oldImage, event.shape().valueOrdinals());
        }
    }

    private static void pair(JsonBytes out, VirtualTimestamp timestamp) {
        out.raw('[')
                .unsigned(timestamp.step())
                .raw(',')
                .unsigned(timestamp.txId())
                .raw(']');
    }
}
