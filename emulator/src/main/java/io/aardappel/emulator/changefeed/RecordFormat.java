package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import java.util.Map;

/** How a feed writes its events. Pure. */
sealed interface RecordFormat permits JsonFormat, DebeziumFormat {
    byte[] data(FeedEvent event);

    Map<String, byte[]> metadata(FeedEvent event);

    static RecordFormat of(ChangefeedSpec spec) {
        return switch (spec.format()) {
            case JSON -> new JsonFormat(spec.mode(), spec.virtualTimestamps(), spec.userSids());
            case DEBEZIUM_JSON -> new DebeziumFormat(spec.mode(), spec.userSids());
            case DYNAMODB_STREAMS_JSON ->
                throw new IllegalArgumentException("feeds in DYNAMODB_STREAMS_JSON are refused before they begin");
        };
    }
}
