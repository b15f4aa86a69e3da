package io.aardappel.emulator.changefeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Format;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import io.aardappel.emulator.model.value.Type;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A changefeed is refused")
class RefusedFeedTest {
    private final FeedBench bench = new FeedBench()
            .table(1, Column.nullable("k", Type.Primitive.UTF8), Column.nullable("v", Type.Primitive.UTF8));

    private static ChangefeedSpec spec(
            Mode mode,
            Format format,
            boolean timestamps,
            @Nullable Duration barriers,
            @Nullable Duration retention,
            boolean schemaChanges,
            int partitions) {
        return new ChangefeedSpec(
                "feed",
                mode,
                format,
                timestamps,
                barriers,
                false,
                retention,
                schemaChanges,
                false,
                false,
                partitions,
                0,
                Map.of());
    }

    private void assertRefused(ChangefeedSpec spec, String message) {
        assertThatThrownBy(() -> bench.feed(spec)).isInstanceOfSatisfying(YdbException.class, refused -> {
            assertThat(refused.status()).isEqualTo(Status.BAD_REQUEST);
            assertThat(refused.issues().get(0).message()).contains(message);
        });
        assertThat(bench.topics.find(FeedBench.FEED)).isNull();
        assertThat(bench.database.list(FeedBench.TABLE)).isEmpty();
    }

    @Test
    void inDebeziumJsonWithModeUpdates() {
        assertRefused(
                spec(Mode.UPDATES, Format.DEBEZIUM_JSON, false, null, null, false, 0),
                "DEBEZIUM_JSON format incompatible with specified stream mode");
    }

    @Test
    void inDebeziumJsonWithVirtualTimestamps() {
        assertRefused(
                spec(Mode.NEW_IMAGE, Format.DEBEZIUM_JSON, true, null, null, false, 0),
                "VIRTUAL_TIMESTAMPS incompatible with specified stream format");
    }

    @Test
    void inDebeziumJsonWithBarriers() {
        assertRefused(
                spec(Mode.KEYS_ONLY, Format.DEBEZIUM_JSON, false, Duration.ofSeconds(1), null, false, 0),
                "RESOLVED_TIMESTAMPS incompatible with specified stream format");
    }

    @Test
    void inDebeziumJsonWithSchemaChanges() {
        assertRefused(
                spec(Mode.KEYS_ONLY, Format.DEBEZIUM_JSON, false, null, null, true, 0),
                "SCHEMA_CHANGES incompatible with specified stream format");
    }

    @Test
    void inDynamoDbJson() {
        assertRefused(
                spec(Mode.NEW_IMAGE, Format.DYNAMODB_STREAMS_JSON, false, null, null, false, 0),
                "DYNAMODB_STREAMS_JSON");
    }

    @Test
    void withABarrierIntervalThatIsNotPositive() {
        assertRefused(spec(Mode.UPDATES, Format.JSON, true, Duration.ZERO, null, false, 0), "must be positive");
    }

    @Test
    void withARetentionAbove31Days() {
        assertRefused(spec(Mode.UPDATES, Format.JSON, true, null, Duration.ofDays(32), false, 0), "31 days");
    }

    @Test
    void withAnExplicitNumberOfPartitionsForATextKey() {
        assertRefused(spec(Mode.UPDATES, Format.JSON, true, null, null, false, 2), "Uint32 or Uint64");
    }

    @Test
    void underANameThatIsTaken() {
        bench.feed(spec(Mode.UPDATES, Format.JSON, false, null, null, false, 0));
        assertThatThrownBy(() -> bench.feed(spec(Mode.KEYS_ONLY, Format.JSON, false, null, null, false, 0)))
                .isInstanceOfSatisfying(
                        YdbException.class,
                        refused -> assertThat(refused.status()).isEqualTo(Status.SCHEME_ERROR));
    }
}
