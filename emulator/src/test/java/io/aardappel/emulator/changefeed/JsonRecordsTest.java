package io.aardappel.emulator.changefeed;

import static io.aardappel.emulator.changefeed.FeedBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.RowWrite.Kind;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.aardappel.emulator.model.value.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A record in JSON")
class JsonRecordsTest {
    private static FeedBench feed(Mode mode) {
        return new FeedBench().table(1).feed(json(mode));
    }

    @Test
    void ofUpdatesListsTheWrittenColumnsOnly() {
        FeedBench bench = feed(Mode.UPDATES);
        bench.upsert(41L, "qty", 6L, "title", "oak");
        bench.upsert(41L, "qty", 9L);
        bench.write(Kind.UPDATE, 41L, "title", "elm");
        bench.delete(41L);
        assertThat(bench.texts(0))
                .containsExactly(
                        "{\"update\":{\"qty\":6,\"title\":\"oak\"},\"key\":[41]}",
                        "{\"update\":{\"qty\":9},\"key\":[41]}",
                        "{\"update\":{\"title\":\"elm\"},\"key\":[41]}",
                        "{\"erase\":{},\"key\":[41]}");
    }

    @Test
    void ofReplaceIsAResetWithAllColumns() {
        FeedBench bench = feed(Mode.UPDATES);
        bench.upsert(1L, "qty", 6L, "title", "oak");
        bench.write(Kind.REPLACE, 1L, "qty", 7L);
        assertThat(bench.texts(0)).last().isEqualTo("{\"reset\":{\"qty\":7,\"title\":null},\"key\":[1]}");
    }

    @Test
    void ofKeysOnlyHasNoColumns() {
        FeedBench bench = feed(Mode.KEYS_ONLY);
        bench.write(Kind.INSERT, 1L, "qty", 6L);
        bench.write(Kind.REPLACE, 1L, "qty", 7L);
        bench.delete(1L);
        assertThat(bench.texts(0))
                .containsExactly(
                        "{\"update\":{},\"key\":[1]}", "{\"reset\":{},\"key\":[1]}", "{\"erase\":{},\"key\":[1]}");
    }

    @Test
    void ofNewImageShowsTheWholeRowAfterwards() {
        FeedBench bench = feed(Mode.NEW_IMAGE);
        bench.upsert(1L, "qty", 3L);
        bench.upsert(1L, "title", "a");
        bench.delete(1L);
        assertThat(bench.texts(0))
                .containsExactly(
                        "{\"update\":{},\"newImage\":{\"qty\":3,\"title\":null},\"key\":[1]}",
                        "{\"update\":{},\"newImage\":{\"qty\":3,\"title\":\"a\"},\"key\":[1]}",
                        "{\"erase\":{},\"key\":[1]}");
    }

    @Test
    void ofOldImageShowsTheRowBefore() {
        FeedBench bench = feed(Mode.OLD_IMAGE);
        bench.upsert(1L, "qty", 3L);
        bench.upsert(1L, "qty", 4L);
        bench.delete(1L);
        assertThat(bench.texts(0))
                .containsExactly(
                        "{\"update\":{},\"key\":[1]}",
                        "{\"update\":{},\"oldImage\":{\"qty\":3,\"title\":null},\"key\":[1]}",
                        "{\"erase\":{},\"oldImage\":{\"qty\":4,\"title\":null},\"key\":[1]}");
    }

    @Test
    void ofBothImagesShowsBoth() {
        FeedBench bench = feed(Mode.NEW_AND_OLD_IMAGES);
        bench.upsert(1L, "qty", 3L);
        bench.write(Kind.REPLACE, 1L, "qty", 4L);
        assertThat(bench.texts(0))
                .containsExactly(
                        "{\"update\":{},\"newImage\":{\"qty\":3,\"title\":null},\"key\":[1]}",
                        "{\"reset\":{},\"newImage\":{\"qty\":4,\"title\":null},\"oldImage\":{\"qty\":3,\"title\":null},"
                                + "\"key\":[1]}");
    }

    @Test
    void isWrittenForTheErasureOfARowThatIsNotThere() {
        FeedBench bench = feed(Mode.NEW_AND_OLD_IMAGES);
        bench.delete(8L);
        assertThat(bench.texts(0)).containsExactly("{\"erase\":{},\"key\":[8]}");
    }

    @Test
    void isNotWrittenForAnUpdateOfARowThatIsNotThere() {
        FeedBench bench = feed(Mode.UPDATES);
        bench.write(Kind.UPDATE, 8L, "qty", 1L);
        assertThat(bench.texts(0)).isEmpty();
    }

    @Test
    void isWrittenForEachWriteOfAKeyInOneTransaction() {
        FeedBench bench = feed(Mode.UPDATES);
        var transaction = bench.begin();
        transaction.write(bench.schema(), bench.row(Kind.UPSERT, 1L, "qty", 1L));
        transaction.write(bench.schema(), bench.row(Kind.UPSERT, 1L, "qty", 2L));
        transaction.commit();
        assertThat(bench.texts(0))
                .containsExactly("{\"update\":{\"qty\":1},\"key\":[1]}", "{\"update\":{\"qty\":2},\"key\":[1]}");
    }

    @Test
    void isNotWrittenForATransactionRolledBack() {
        FeedBench bench = feed(Mode.UPDATES);
        var transaction = bench.begin();
        transaction.write(bench.schema(), bench.row(Kind.UPSERT, 1L, "qty", 1L));
        transaction.rollback();
        assertThat(bench.texts(0)).isEmpty();
    }

    @Test
    void hasFullRangeTimestamps() {
        FeedBench bench = new FeedBench().table(1).feed(FeedBench.timed(Mode.KEYS_ONLY, 0, false, 0));
        bench.upsert(-1L);
        assertThat(bench.texts(0))
                .containsExactly("{\"update\":{},\"key\":[18446744073709551615],\"ts\":["
                        + bench.database.now().step() + ",18446744073709551615]}");
    }

    @Test
    void sharesItsTimestampWithTheOtherRowsOfItsTransaction() {
        FeedBench bench = new FeedBench().table(2).feed(FeedBench.timed(Mode.KEYS_ONLY, 0, false, 1));
        var transaction = bench.begin();
        transaction.write(bench.schema(), bench.row(Kind.UPSERT, 1L));
        transaction.write(bench.schema(), bench.row(Kind.UPSERT, -1L));
        var timestamp = transaction.commit();
        assertThat(bench.records(0))
                .hasSize(2)
                .allSatisfy(record -> assertThat(record.get("ts").toString())
                        .isEqualTo("[" + timestamp.step() + "," + timestamp.txId() + "]"));
    }

    @Test
    void lacksADroppedColumnInBothImages() {
        FeedBench bench = feed(Mode.NEW_AND_OLD_IMAGES);
        bench.upsert(83L, "qty", 1L, "title", "gone");
        bench.database.alterTable(FeedBench.TABLE, List.of(new TableSpec.Change.DropColumn("title")));
        bench.upsert(83L, "qty", 2L);
        assertThat(bench.texts(0))
                .last()
                .isEqualTo("{\"update\":{},\"newImage\":{\"qty\":2},\"oldImage\":{\"qty\":1},\"key\":[83]}");
    }

    @Test
    void showsAnAddedColumn() {
        FeedBench bench = feed(Mode.NEW_IMAGE);
        bench.upsert(1L, "qty", 1L);
        bench.database.alterTable(
                FeedBench.TABLE, List.of(new TableSpec.Change.AddColumn(Column.nullable("more", Type.Primitive.BOOL))));
        bench.upsert(1L, "qty", 2L);
        assertThat(bench.texts(0))
                .last()
                .isEqualTo("{\"update\":{},\"newImage\":{\"qty\":2,\"title\":null,\"more\":null},\"key\":[1]}");
    }

    @Test
    void listsDefaultsOfANewRow() {
        FeedBench bench = new FeedBench()
                .table(
                        1,
                        Column.nullable("id", Type.Primitive.UINT64),
                        new Column("qty", Type.Primitive.INT32, true, 5L, false))
                .feed(json(Mode.UPDATES));
        bench.upsert(1L);
        bench.upsert(1L);
        assertThat(bench.texts(0))
                .containsExactly("{\"update\":{\"qty\":5},\"key\":[1]}", "{\"update\":{},\"key\":[1]}");
    }

    @Test
    void namesTheUserWhenTheFeedShowsUsers() {
        FeedBench bench = new FeedBench().table(1);
        var plain = json(Mode.KEYS_ONLY);
        bench.feed(new TableSpec.ChangefeedSpec(
                plain.name(),
                plain.mode(),
                plain.format(),
                false,
                null,
                false,
                null,
                false,
                true,
                false,
                0,
                0,
                Map.of()));
        var transaction = bench.database.begin(
                io.aardappel.emulator.model.table.Transaction.Mode.SERIALIZABLE_READ_WRITE, "eve@x");
        transaction.write(bench.schema(), bench.row(Kind.UPSERT, 1L));
        transaction.commit();
        assertThat(bench.texts(0)).containsExactly("{\"update\":{},\"key\":[1],\"user\":\"eve@x\"}");
    }

    @Test
    void comesFromItsShardWithRisingNumbers() {
        FeedBench bench = new FeedBench().table(2).feed(FeedBench.timed(Mode.KEYS_ONLY, 0, false, 1));
        bench.upsert(1L);
        bench.upsert(-1L);
        bench.upsert(2L);
        List<TopicMessage> messages = bench.messages(0);
        var shards = bench.database.describeTable(FeedBench.TABLE).shards();
        assertThat(messages)
                .extracting(TopicMessage::producerId)
                .containsExactly(
                        Long.toString(shards.get(0).tabletId()),
                        Long.toString(shards.get(1).tabletId()),
                        Long.toString(shards.get(0).tabletId()));
        assertThat(messages).extracting(TopicMessage::seqNo).containsExactly(1L, 1L, 2L);
    }

    @ParameterizedTest(name = "{0},{1} goes to {2}")
    @CsvSource({"9, -10, 0", "77, -78, 0", "501, -502, 0"})
    void goesToThePartitionOfItsKeysHash(long id, long sub, int partition) {
        FeedBench bench = new FeedBench();
        bench.database.createTable(
                new TableSpec(
                        FeedBench.TABLE,
                        List.of(
                                Column.notNull("id", Type.Primitive.UINT32),
                                Column.notNull("sub", Type.Primitive.INT32)),
                        List.of("id", "sub"),
                        TableSpec.Partitioning.ONE,
                        List.of(FeedBench.timed(Mode.KEYS_ONLY, 0, false, 3)),
                        Map.of()),
                false);
        var transaction = bench.begin();
        transaction.write(
                bench.schema(),
                new io.aardappel.emulator.model.table.RowWrite(
                        Kind.UPSERT, List.of(id, sub), new int[0], new Object[0]));
        transaction.commit();
        assertThat(bench.records(partition)).hasSize(1);
    }

    @Test
    void tellsTheColumnsWhenTheFeedShowsSchemaChanges() {
        FeedBench bench = new FeedBench().table(1);
        var plain = FeedBench.timed(Mode.UPDATES, 0, false, 2);
        bench.feed(new TableSpec.ChangefeedSpec(
                plain.name(),
                plain.mode(),
                plain.format(),
                false,
                null,
                false,
                null,
                true,
                false,
                false,
                2,
                0,
                Map.of()));
        bench.database.alterTable(FeedBench.TABLE, List.of(new TableSpec.Change.DropColumn("title")));
        String expected =
                "{\"tableChanges\":[{\"table\":{\"schemaVersion\":2,\"columns\":{\"id\":{\"type\":\"Uint64\"},"
                        + "\"qty\":{\"type\":\"Int32\"}},\"primaryKeyColumnNames\":[\"id\"]}}]}";
        assertThat(bench.texts(0)).containsExactly(expected);
        assertThat(bench.texts(1)).containsExactly(expected);
    }
}
