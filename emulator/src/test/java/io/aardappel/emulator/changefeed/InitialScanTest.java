package io.aardappel.emulator.changefeed;

import static io.aardappel.emulator.changefeed.FeedBench.timed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An initial scan")
class InitialScanTest {
    private final FeedBench bench = new FeedBench().table(1);

    private List<String> update(String key) {
        return bench.records(0).stream()
                .filter(record ->
                        record.has("key") && record.get("key").get(0).asText().equals(key))
                .map(record ->
                        record.has("erase") ? "erase" : record.get("update").toString())
                .toList();
    }

    @Nested
    @DisplayName("of five rows, one row read in a tick")
    class OfFiveRows {
        @BeforeEach
        void open() {
            IntStream.rangeClosed(1, 5).forEach(id -> bench.upsert((long) id, "qty", 10L * id));
            bench.knobs().setScanRowsPerTick(1);
            bench.feed(timed(Mode.UPDATES, 1, true, 1));
        }

        private void finish() {
            for (int i = 0; i < 6; i++) {
                bench.pass(1);
            }
        }

        @Test
        void tellsRowsInKeyOrderWithAllColumns() {
            finish();
            assertThat(bench.records(0).stream().filter(record -> record.has("key")))
                    .extracting(record -> record.get("key").get(0).asInt()
                            + record.get("update").toString())
                    .containsExactly(
                            "1{\"qty\":10,\"title\":null}",
                            "2{\"qty\":20,\"title\":null}",
                            "3{\"qty\":30,\"title\":null}",
                            "4{\"qty\":40,\"title\":null}",
                            "5{\"qty\":50,\"title\":null}");
        }

        @Test
        void givesAllRowsOneTimestampBelowEveryLaterChange() {
            finish();
            bench.upsert(9L, "qty", 1L);
            List<JsonNode> timestamps = bench.records(0).stream()
                    .filter(record -> record.has("key"))
                    .map(record -> record.get("ts"))
                    .toList();
            assertThat(timestamps.subList(0, 5)).containsOnly(timestamps.get(0));
            assertThat(timestamps.get(5)).isNotEqualTo(timestamps.get(0));
            assertThat(timestamps.get(5).get(0).asLong())
                    .isGreaterThanOrEqualTo(timestamps.get(0).get(0).asLong());
        }

        @Test
        void tellsAnUnreadRowBeforeTheWriteThatTouchesIt() {
            bench.upsert(4L, "title", "late");
            finish();
            assertThat(update("4")).containsExactly("{\"qty\":40,\"title\":null}", "{\"title\":\"late\"}");
        }

        @Test
        void tellsAnUnreadRowBeforeItsErasure() {
            bench.delete(4L);
            finish();
            assertThat(update("4")).containsExactly("{\"qty\":40,\"title\":null}", "erase");
        }

        @Test
        void tellsOnlyTheWriteOfARowReadBefore() {
            bench.pass(1);
            bench.upsert(1L, "title", "late");
            finish();
            assertThat(update("1")).containsExactly("{\"qty\":10,\"title\":null}", "{\"title\":\"late\"}");
        }

        @Test
        void doesNotTellARowInsertedMeanwhile() {
            bench.upsert(7L, "qty", 70L);
            finish();
            assertThat(update("7")).containsExactly("{\"qty\":70}");
        }

        @Test
        void doesNotTellARowErasedAndWrittenAnewOnceMore() {
            bench.delete(4L);
            bench.upsert(4L, "qty", 41L);
            finish();
            assertThat(update("4")).containsExactly("{\"qty\":40,\"title\":null}", "erase", "{\"qty\":41}");
        }

        @Test
        void withholdsBarriersUntilItIsComplete() {
            bench.pass(5_000);
            assertThat(bench.records(0)).noneMatch(record -> record.has("resolved"));
            finish();
            bench.pass(0);
            assertThat(bench.records(0)).last().matches(record -> record.has("resolved"));
        }

        @Test
        void showsItsProgress() {
            bench.pass(1);
            assertThat(bench.description().state()).isEqualTo(Changefeed.State.INITIAL_SCAN);
            assertThat(bench.description().partsCompleted()).isZero();
            finish();
            assertThat(bench.description().state()).isEqualTo(Changefeed.State.ENABLED);
            assertThat(bench.description().partsCompleted()).isEqualTo(1);
            assertThat(bench.description().partsTotal()).isEqualTo(1);
        }

        @Test
        void keepsItsTableFromBeingSplit() {
            assertThatThrownBy(() -> bench.database.splitShard(FeedBench.TABLE, List.of(3L)))
                    .isInstanceOfSatisfying(
                            YdbException.class,
                            refused -> assertThat(refused.status()).isEqualTo(Status.OVERLOADED));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "KEYS_ONLY | `{\"update\":{},\"key\":[1]}`",
                "NEW_IMAGE | `{\"update\":{},\"newImage\":{\"qty\":10,\"title\":null},\"key\":[1]}`",
                "OLD_IMAGE | `{\"update\":{},\"oldImage\":{\"qty\":10,\"title\":null},\"key\":[1]}`",
                "NEW_AND_OLD_IMAGES | `{\"update\":{},\"newImage\":{\"qty\":10,\"title\":null},\"key\":[1]}`"
            })
    void showsARowAsItsModeDoes(Mode mode, String record) {
        bench.upsert(1L, "qty", 10L);
        var plain = FeedBench.json(mode);
        bench.feed(new io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec(
                plain.name(),
                mode,
                plain.format(),
                false,
                null,
                true,
                null,
                false,
                false,
                false,
                0,
                0,
                java.util.Map.of()));
        bench.pass(0);
        assertThat(bench.texts(0)).containsExactly(record);
    }

    @Test
    void isOverAtOnceForAnEmptyTable() {
        bench.feed(timed(Mode.UPDATES, 1, true, 1));
        bench.pass(0);
        assertThat(bench.description().state()).isEqualTo(Changefeed.State.ENABLED);
    }

    @Test
    void isNotMadeWhenNotAskedFor() {
        bench.upsert(1L, "qty", 10L);
        bench.feed(timed(Mode.UPDATES, 0, false, 1));
        bench.pass(0);
        assertThat(bench.texts(0)).isEmpty();
    }
}
