package io.aardappel.replicator.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import io.aardappel.replicator.core.StreamRecord.Wording;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;

@DisplayName("A changefeed's message, for a table with key (id Uint64, tag Utf8) and columns n Int32, s Utf8, d Json")
class ChangeDecoderTest {
    private static final TableShape SHAPE = new TableShape(
            "/local/t",
            List.of(
                    new TableShape.Column("n", YdbType.of(PrimitiveTypeId.INT32), false, false),
                    new TableShape.Column("id", YdbType.of(PrimitiveTypeId.UINT64), true, false),
                    new TableShape.Column("s", YdbType.of(PrimitiveTypeId.UTF8), false, false),
                    new TableShape.Column("tag", YdbType.of(PrimitiveTypeId.UTF8), false, false),
                    new TableShape.Column("d", YdbType.of(PrimitiveTypeId.JSON), false, false)),
            List.of("id", "tag"));
    private static final Key KEY = new Key(7L, "x");
    private static final Position AT = new Position(10, 20);

    private final ChangeDecoder updates = new ChangeDecoder(SHAPE, FeedImages.WRITTEN_COLUMNS);
    private final ChangeDecoder newImage = new ChangeDecoder(SHAPE, FeedImages.NEW_IMAGE);

    private final ChangeDecoder unchecked = new ChangeDecoder(SHAPE, FeedImages.UNCHECKED);

    private StreamRecord updates(String json) {
        return updates.decode(json.getBytes(UTF_8));
    }

    private StreamRecord newImage(String json) {
        return newImage.decode(json.getBytes(UTF_8));
    }

    private StreamRecord unchecked(String json) {
        return unchecked.decode(json.getBytes(UTF_8));
    }

    private static void assertChange(
            StreamRecord record, Operation operation, int[] ordinals, @Nullable Object... values) {
        assertThat(record).isInstanceOf(Change.class);
        Change change = (Change) record;
        assertThat(change.position()).isEqualTo(AT);
        assertThat(change.operation()).isEqualTo(operation);
        assertThat(change.key()).isEqualTo(KEY);
        assertThat(change.columns().ordinals()).isEqualTo(ordinals);
        assertThat(change.columns().values()).isEqualTo(values);
    }

    private static void assertUnfit(StreamRecord record, String reason) {
        assertThat(record)
                .asInstanceOf(InstanceOfAssertFactories.type(Unfit.class))
                .extracting(Unfit::reason, InstanceOfAssertFactories.STRING)
                .contains(reason);
    }

    @Nested
    @DisplayName("of a feed in mode UPDATES")
    class Updates {
        @Test
        void updateOverlaysTheWrittenColumnsInOrderOfTheTable() {
            assertChange(
                    updates("{\"update\":{\"s\":\"a\",\"n\":-5},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.UPDATE,
                    new int[] {0, 2},
                    -5L,
                    "a");
        }

        @Test
        void membersComeInAnyOrder() {
            assertChange(
                    updates("{\"ts\":[10,20],\"key\":[7,\"x\"],\"update\":{\"s\":null}}"),
                    Operation.UPDATE,
                    new int[] {2},
                    (Object) null);
        }

        @Test
        void updateOfTheKeyAloneIsAChange() {
            assertChange(updates("{\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"), Operation.UPDATE, new int[] {});
        }

        @Test
        void resetReplacesB04() {
            assertChange(
                    updates("{\"reset\":{\"n\":1,\"s\":null},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.REPLACE,
                    new int[] {0, 2},
                    1L,
                    null);
        }

        @Test
        void eraseErases() {
            assertChange(updates("{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"), Operation.ERASE, new int[] {});
        }

        @Test
        void unknownMembersArePassedOver() {
            assertChange(
                    updates("{\"user\":\"root\",\"x\":{\"y\":[{}]},\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.ERASE,
                    new int[] {});
        }

        @Test
        void oneDecoderReadsRecordsWithDifferentColumns() {
            updates("{\"update\":{\"s\":\"a\",\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertChange(
                    updates("{\"update\":{\"n\":2},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.UPDATE,
                    new int[] {0},
                    2L);
        }

        @Test
        void theDocumentStaysAsItIsSpelled() {
            Change change = (Change)
                    updates(
                            "{\"update\":{\"d\":{\"a\" : 1.50,\"b\":[18446744073709551615,1e2]}},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertThat(change.columns().values()[0])
                    .isEqualTo(ByteString.copyFromUtf8("{\"a\" : 1.50,\"b\":[18446744073709551615,1e2]}"));
        }

        @Test
        void timestampsHaveTheFullUnsignedRange() {
            Change change = (Change)
                    updates(
                            "{\"erase\":{},\"key\":[18446744073709551615,null],\"ts\":[18446744073709551615,9223372036854775808]}");
            assertThat(change.position()).hasToString("[18446744073709551615,9223372036854775808]");
            assertThat(change.key()).isEqualTo(new Key(-1L, null));
        }

        @Test
        void aReusedBufferIsReadWithinItsBounds() {
            byte[] buffer = "garbage {\"resolved\":[3,0]} garbage".getBytes(UTF_8);
            assertThat(updates.decode(buffer, 8, 18)).isEqualTo(new Barrier(new Position(3, 0)));
        }
    }

    @Nested
    @DisplayName("of a feed with new images")
    class NewImages {
        @Test
        void updateReplacesByTheImage() {
            assertChange(
                    newImage("{\"update\":{},\"newImage\":{\"n\":1,\"s\":null},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.REPLACE,
                    new int[] {0, 2},
                    1L,
                    null);
        }

        @Test
        void theOldImageIsPassedOver() {
            assertChange(
                    newImage(
                            "{\"oldImage\":{\"n\":\"?\"},\"newImage\":{\"n\":1},\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.REPLACE,
                    new int[] {0},
                    1L);
        }

        @Test
        void theOldImageCostsNoMemory() {
            Change with = (Change) newImage("{\"newImage\":{\"n\":1},\"oldImage\":{\"s\":\"" + "long".repeat(100)
                    + "\"},\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertThat(with.bytes()).isLessThan(500);
        }

        @Test
        void resetReplacesByTheImage() {
            assertChange(
                    newImage("{\"reset\":{},\"newImage\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.REPLACE,
                    new int[] {0},
                    1L);
        }

        @Test
        void anImageWithoutColumnsIsOfARowWithTheKeyOnly() {
            String record = "{\"update\":{},\"newImage\":%s,\"key\":[7,\"x\"],\"ts\":[10,20]}";
            assertChange(newImage(record.formatted("{}")), Operation.REPLACE, new int[] {});
            assertChange(newImage(record.formatted("null")), Operation.REPLACE, new int[] {});
        }

        @Test
        void aRecordWithoutItsImageIsUnfitB38() {
            assertUnfit(newImage("{\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"), "no `newImage`");
        }

        @Test
        void anImageIsNotNeededWhereThereIsOnlyTheKey() {
            TableShape keyOnly = new TableShape(
                    "/local/k",
                    List.of(new TableShape.Column("id", YdbType.of(PrimitiveTypeId.UINT64), true, false)),
                    List.of("id"));
            StreamRecord record = new ChangeDecoder(keyOnly, FeedImages.NEW_IMAGE)
                    .decode("{\"update\":{},\"key\":[7],\"ts\":[10,20]}".getBytes(UTF_8));
            assertThat(record).isInstanceOf(Change.class);
        }

        @Test
        void writtenColumnsBesideAnImageAreUnfit() {
            assertUnfit(
                    newImage("{\"update\":{\"n\":1},\"newImage\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    "at once");
        }
    }

    @Nested
    @DisplayName("of a feed whose description could not be had")
    class Unchecked {
        @ParameterizedTest
        @ValueSource(strings = {"update", "reset"})
        void withoutAnyColumnIsUnfitB38(String kind) {
            assertUnfit(
                    unchecked("{\"" + kind + "\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    "grant the right to describe the source table");
        }

        @Test
        void isUnfitWithoutColumnsWhateverCameBeforeB38() {
            unchecked("{\"update\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertUnfit(unchecked("{\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"), "carries no column");
        }

        @Test
        void overlaysTheWrittenColumns() {
            assertChange(
                    unchecked("{\"update\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.UPDATE,
                    new int[] {0},
                    1L);
        }

        @Test
        void replacesByTheImage() {
            assertChange(
                    unchecked("{\"update\":{},\"newImage\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.REPLACE,
                    new int[] {0},
                    1L);
        }

        @Test
        void erasesWithAndWithoutAnOldImage() {
            assertChange(
                    unchecked("{\"erase\":{},\"oldImage\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.ERASE,
                    new int[] {});
            assertChange(unchecked("{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}"), Operation.ERASE, new int[] {});
        }

        @Test
        void needsNoColumnsWhereThereIsOnlyTheKey() {
            TableShape keyOnly = new TableShape(
                    "/local/k",
                    List.of(new TableShape.Column("id", YdbType.of(PrimitiveTypeId.UINT64), true, false)),
                    List.of("id"));
            StreamRecord record = new ChangeDecoder(keyOnly, FeedImages.UNCHECKED)
                    .decode("{\"update\":{},\"key\":[7],\"ts\":[10,20]}".getBytes(UTF_8));
            assertThat(record).isInstanceOf(Change.class);
        }
    }

    @ParameterizedTest
    @EnumSource(FeedImages.class)
    void anOldImageAloneIsUnfitWhateverTheFeedB38(FeedImages images) {
        ChangeDecoder decoder = new ChangeDecoder(SHAPE, images);
        for (String kind : List.of("update", "reset")) {
            assertUnfit(
                    decoder.decode(("{\"" + kind + "\":{},\"oldImage\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}")
                            .getBytes(UTF_8)),
                    "no `newImage`");
        }
    }

    @Nested
    @DisplayName("that is no change of a row")
    class Others {
        @Test
        void resolvedIsABarrier() {
            assertThat(updates("{\"resolved\":[1700000000000,0]}"))
                    .isEqualTo(new Barrier(new Position(1_700_000_000_000L, 0)));
        }

        @Test
        void tableChangesIsASchemaChangeB04() {
            assertThat(updates("{\"tableChanges\":[{\"table\":{\"schemaVersion\":2}}],\"ts\":[10,20]}"))
                    .isEqualTo(new SchemaChange(AT, 2, Map.of()));
        }

        @Test
        void tableChangesWithoutAVersionIsASchemaChangeToo() {
            assertThat(updates("{\"ts\":[10,20],\"tableChanges\":[{\"table\":{}}]}"))
                    .isEqualTo(new SchemaChange(AT, -1, Map.of()));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"n\":{\"type\":\"Int32\"},\"c\":{\"family\":{\"type\":1},\"type\":\"Uint64\"},\"id\":{\"type\":\"Uint64\"}}",
                    "{\"n\":\"Int32\",\"c\":\"Uint64\",\"odd\":7,\"odder\":{},\"id\":\"Uint64\"}"
                })
        void tableChangesSaysWhichColumnsTheDestinationLacks(String columns) {
            assertThat(updates("{\"tableChanges\":[{\"table\":{\"columns\":" + columns
                            + ",\"schemaVersion\":3,\"indexes\":[{\"columns\":[\"x\"]}]}}],\"ts\":[10,20]}"))
                    .isEqualTo(new SchemaChange(AT, 3, Map.of("c", "Uint64")));
        }
    }

    @Nested
    @DisplayName("that does not fit")
    class DoesNotFit {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "null",
                    "[]",
                    "{",
                    "{}",
                    "{\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"payload\":{\"op\":\"u\"}}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]} {}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10]}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20,30]}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[-1,20]}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[18446744073709551616,20]}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":[1.0,20]}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"ts\":null}",
                    "{\"erase\":{},\"key\":[7,\"x\"]}",
                    "{\"erase\":{},\"ts\":[10,20]}",
                    "{\"erase\":{},\"key\":[7],\"ts\":[10,20]}",
                    "{\"erase\":{},\"key\":[7,\"x\",1],\"ts\":[10,20]}",
                    "{\"erase\":{},\"key\":7,\"ts\":[10,20]}",
                    "{\"erase\":{},\"key\":[null,\"x\"],\"ts\":[10,20]}",
                    "{\"erase\":{},\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"resolved\":[1,0],\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"erase\":{},\"erase\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"erase\":{},\"key\":[7,\"x\"],\"key\":[8,\"x\"],\"ts\":[10,20]}",
                    "{\"update\":null,\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"update\":[],\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"update\":{\"none\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"update\":{\"id\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"update\":{\"n\":1,\"n\":2},\"key\":[7,\"x\"],\"ts\":[10,20]}",
                    "{\"resolved\":[1,\"0\"]}",
                    "{\"tableChanges\":[]}"
                })
        void isUnfitB05(String message) {
            assertThat(updates(message)).isInstanceOf(Unfit.class);
        }

        @Test
        void namesColumnSourceShapeAndDestinationTypeButNoValue() {
            StreamRecord record = updates("{\"update\":{\"n\":\"secret\"},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertThat(((Unfit) record).reason()).isEqualTo("column `n`: a JSON string is no value of Int32");
        }

        @Test
        void namesTheSourcesTypeWhereItIsKnown() {
            TableShape source = new TableShape(
                    "/source/t",
                    List.of(
                            new TableShape.Column("id", YdbType.of(PrimitiveTypeId.UINT64), true, false),
                            new TableShape.Column("n", YdbType.of(PrimitiveTypeId.INT64), false, false)),
                    List.of("id"));
            ChangeDecoder knowing =
                    new ChangeDecoder(SHAPE, new SourceFeed(FeedImages.WRITTEN_COLUMNS, new SourceColumns(source)));
            assertUnfit(
                    knowing.decode("{\"update\":{\"n\":3000000000},\"key\":[7,\"x\"],\"ts\":[10,20]}".getBytes(UTF_8)),
                    "column `n` (Int64 at the source): a JSON integer is outside the range of Int32");
        }

        @Test
        void namesTheTypeOfAMissingColumnThatTheFeedHasTold() {
            updates("{\"tableChanges\":[{\"table\":{\"columns\":{\"c\":\"Date\"}}}],\"ts\":[10,20]}");
            assertUnfit(
                    updates("{\"update\":{\"c\":\"2024-01-01\"},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    "column `c` (Date at the source) is not in the destination table /local/t; add it, with the DEFAULT"
                            + " that it has at the source, if any");
        }

        @Test
        void tellsTheColumnThatIsMissingAndNoOtherFault() {
            updates("{\"update\":{\"none\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertThat(updates.missingColumn()).contains("none");
            for (String other : List.of("", "{\"update\":{\"n\":\"?\"}}", "{\"resolved\":[1,0]}")) {
                updates(other);
                assertThat(updates.missingColumn()).isEmpty();
            }
        }

        @Test
        void takesAColumnWithoutANameForNoOther() {
            assertThat(updates("{\"update\":{\"\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}"))
                    .isEqualTo(new Unfit(
                            AT,
                            "[7,\"x\"]",
                            "column `` is not in the destination table /local/t; add it, with the DEFAULT that it has at"
                                    + " the source, if any",
                            Optional.of(new Wording(Operation.UPDATE, "{\"\":1}"))));
        }

        @Test
        void saysWhichRecordEvenWhenTheFaultComesFirst() {
            assertThat(updates("{\"update\":{\"none\":1},\"key\": [7,\"x\"],\"ts\":[10,20]}"))
                    .isEqualTo(new Unfit(
                            AT,
                            "[7,\"x\"]",
                            "column `none` is not in the destination table /local/t; add it, with the DEFAULT that it has"
                                    + " at the source, if any",
                            Optional.of(new Wording(Operation.UPDATE, "{\"none\":1}"))));
        }

        private Optional<Wording> wording(String members) {
            return ((Unfit) updates("{" + members + ",\"key\":[7,\"x\"],\"ts\":[10,20]}")).wording();
        }

        @Test
        void keepsWhatItWouldWriteAsTheFeedSpellsIt() {
            assertThat(wording("\"update\":{\"none\": 1.0}"))
                    .contains(new Wording(Operation.UPDATE, "{\"none\": 1.0}"));
            assertThat(wording("\"reset\":{\"n\":\"?\"}")).contains(new Wording(Operation.REPLACE, "{\"n\":\"?\"}"));
            assertThat(wording("\"newImage\":{\"n\":\"?\"},\"update\":{},\"oldImage\":{}"))
                    .contains(new Wording(Operation.REPLACE, "{\"n\":\"?\"}"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\"update\":{\"none\":1},\"reset\":{}",
                    "\"update\":{\"none\":1},\"update\":{\"none\":2}",
                    "\"update\":{\"none\":1},\"newImage\":{\"none\":2}",
                    "\"update\":{},\"oldImage\":{\"n\":1}",
                    "\"update\":7",
                    "\"x\":1"
                })
        void keepsNothingOfWhichItIsNotClearWhatItWouldWrite(String members) {
            assertThat(wording(members)).isEmpty();
        }

        @Test
        void keepsNoRowOfItsKeyAlone() {
            Unfit unfit = (Unfit) unchecked("{\"update\":{},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertThat(unfit.wording()).isEmpty();
        }

        @Test
        void showsNoValueOfWhatItKeeps() {
            assertThat(updates("{\"update\":{\"none\":\"secret\"},\"key\":[7,\"x\"],\"ts\":[10,20]}")
                            .toString())
                    .doesNotContain("secret");
        }

        @Test
        void saysWhatItCouldReadOfABrokenMessage() {
            Unfit unfit = (Unfit) updates("{\"ts\":[10,20],\"key\":[7,\"x\"],\"update\":{\"n\":tru}}");
            assertThat(unfit.position()).isEqualTo(AT);
            assertThat(unfit.key()).isEqualTo("[7,\"x\"]");
            assertThat(unfit.reason()).startsWith("the message is not well-formed JSON at byte ");
        }

        @Test
        void leavesTheDecoderFitForTheNext() {
            updates("{\"update\":{\"s\":\"a\",\"n\":\"b\"},\"key\":[7,\"x\"],\"ts\":[10,20]}");
            assertChange(
                    updates("{\"update\":{\"n\":3},\"key\":[7,\"x\"],\"ts\":[10,20]}"),
                    Operation.UPDATE,
                    new int[] {0},
                    3L);
        }
    }

    @Test
    void theColumnsOfEqualRecordsShareTheirOrdinals() {
        Columns first = ((Change) updates("{\"update\":{\"n\":1},\"key\":[7,\"x\"],\"ts\":[10,20]}")).columns();
        Columns second = ((Change) updates("{\"update\":{\"n\":2},\"key\":[7,\"x\"],\"ts\":[10,20]}")).columns();
        assertThat(first.ordinals()).isSameAs(second.ordinals());
    }
}
