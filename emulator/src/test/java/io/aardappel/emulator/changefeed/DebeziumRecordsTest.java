package io.aardappel.emulator.changefeed;

import static io.aardappel.emulator.changefeed.FeedBench.debezium;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record in Debezium JSON")
class DebeziumRecordsTest {
    private static FeedBench feed(Mode mode) {
        return new FeedBench().table(1).feed(debezium(mode, false));
    }

    private static JsonNode payload(FeedBench bench, int index) {
        JsonNode payload = bench.records(0).get(index).get("payload");
        assertThat(payload.get("source").get("version").asText()).isEqualTo("1.0.0");
        assertThat(payload.get("source").get("connector").asText()).isEqualTo("ydb");
        return payload;
    }

    @Test
    void hasItsKeyInTheMetadataOnly() {
        FeedBench bench = feed(Mode.KEYS_ONLY);
        bench.upsert(6L, "qty", 1L);
        byte[] key = bench.messages(0).get(0).metadata().get("__key");
        assertThat(new String(key, StandardCharsets.UTF_8)).isEqualTo("{\"payload\":{\"id\":6}}");
        assertThat(payload(bench, 0).has("after")).isFalse();
        assertThat(payload(bench, 0).get("op").asText()).isEqualTo("u");
    }

    @Test
    void isACreateOnlyWithBothImagesAndNoOldRow() {
        FeedBench bench = feed(Mode.NEW_AND_OLD_IMAGES);
        bench.upsert(6L, "qty", 1L);
        bench.upsert(6L, "qty", 2L);
        assertThat(payload(bench, 0).get("op").asText()).isEqualTo("c");
        assertThat(payload(bench, 0).has("before")).isFalse();
        assertThat(payload(bench, 0).get("after").toString()).isEqualTo("{\"id\":6,\"qty\":1,\"title\":null}");
        assertThat(payload(bench, 1).get("op").asText()).isEqualTo("u");
        assertThat(payload(bench, 1).get("before").toString()).isEqualTo("{\"id\":6,\"qty\":1,\"title\":null}");
    }

    @Test
    void isNeverACreateInOldImage() {
        FeedBench bench = feed(Mode.OLD_IMAGE);
        bench.upsert(6L, "qty", 1L);
        assertThat(payload(bench, 0).get("op").asText()).isEqualTo("u");
        assertThat(payload(bench, 0).has("before")).isFalse();
        assertThat(payload(bench, 0).has("after")).isFalse();
    }

    @Test
    void ofADeleteInNewImageHasNeitherImage() {
        FeedBench bench = feed(Mode.NEW_IMAGE);
        bench.upsert(6L, "qty", 1L);
        bench.delete(6L);
        assertThat(payload(bench, 1).get("op").asText()).isEqualTo("d");
        assertThat(payload(bench, 1).has("before")).isFalse();
        assertThat(payload(bench, 1).has("after")).isFalse();
    }

    @Test
    void ofAScanIsARead() {
        FeedBench bench = new FeedBench().table(1);
        bench.upsert(71L, "qty", 10L);
        bench.feed(debezium(Mode.NEW_AND_OLD_IMAGES, true));
        bench.pass(0);
        JsonNode payload = payload(bench, 0);
        assertThat(payload.get("op").asText()).isEqualTo("r");
        assertThat(payload.get("source").get("snapshot").asBoolean()).isTrue();
        assertThat(payload.get("after").toString()).isEqualTo("{\"id\":71,\"qty\":10,\"title\":null}");
        assertThat(payload.has("before")).isFalse();
    }

    @Test
    void ofAScanInOldImageShowsTheRowBefore() {
        FeedBench bench = new FeedBench().table(1);
        bench.upsert(71L, "qty", 10L);
        bench.feed(debezium(Mode.OLD_IMAGE, true));
        bench.pass(0);
        assertThat(payload(bench, 0).get("before").get("qty").asInt()).isEqualTo(10);
        assertThat(payload(bench, 0).has("after")).isFalse();
    }
}
