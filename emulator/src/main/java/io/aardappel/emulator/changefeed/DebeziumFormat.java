package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Format DEBEZIUM_JSON: the key is in the message's metadata, images hold key and columns. */
record DebeziumFormat(Mode mode, boolean userSids) implements RecordFormat {
    @Override
    public byte[] data(FeedEvent event) {
        JsonBytes out = new JsonBytes()
                .raw("{\"payload\":{\"op\":\"")
                .raw(operation(event))
                .raw('"');
        image(out, ",\"before\":", event, FeedImages.before(mode, event));
        image(out, ",\"after\":", event, FeedImages.after(mode, event));
        out.raw(",\"source\":{\"version\":\"1.0.0\",\"connector\":\"ydb\",\"ts_ms\":")
                .number(event.createdAtMillis());
        out.raw(",\"snapshot\":").raw(event.kind() == FeedEvent.Kind.SCAN ? "true" : "false");
        out.raw(",\"step\":").unsigned(event.timestamp().step());
        out.raw(",\"txId\":").unsigned(event.timestamp().txId());
        String user = event.user();
        if (userSids && user != null) {
            out.raw(",\"user\":").string(user);
        }
        return out.raw("}}}").toBytes();
    }

    @Override
    public Map<String, byte[]> metadata(FeedEvent event) {
        JsonBytes out = new JsonBytes().raw("{\"payload\":");
        event.shape().keyObject(out, event.key());
        return Map.of("__key", out.raw('}').toBytes());
    }

    /** Only a feed that carries both images can tell an insert from an update. */
    private String operation(FeedEvent event) {
        return switch (event.kind()) {
            case SCAN -> "r";
            case ERASE -> "d";
            case UPSERT, RESET -> mode == Mode.NEW_AND_OLD_IMAGES && event.before() == null ? "c" : "u";
        };
    }

    private static void image(JsonBytes out, String member, FeedEvent event, @Nullable Object @Nullable [] row) {
        if (row != null) {
            event.shape().keyAndColumns(out.raw(member), event.key(), row);
        }
    }
}
