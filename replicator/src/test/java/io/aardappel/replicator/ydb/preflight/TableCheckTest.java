package io.aardappel.replicator.ydb.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.codec.YdbType;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;

@DisplayName("A destination table")
class TableCheckTest {
    private static final Column KEY = column("k", PrimitiveTypeId.UINT64);
    private static final Column VALUE = column("v", PrimitiveTypeId.INT32);

    private static Column column(String name, PrimitiveTypeId type) {
        return new Column(name, YdbType.of(type), false, false);
    }

    private static TableShape table(String path, List<String> key, Column... columns) {
        return new TableShape(path, List.of(columns), key);
    }

    private static List<String> check(TableShape source, TableShape destination) {
        List<String> texts = new ArrayList<>();
        for (Finding finding : TableCheck.of(source, destination, Optional::empty)) {
            assertThat(finding.object()).isEqualTo(destination.path());
            texts.add(finding.severity() + " " + finding.what());
        }
        return texts;
    }

    private static List<String> columns(Column source, Column destination) {
        return check(table("/s/t", List.of("k"), KEY, source), table("/d/t", List.of("k"), KEY, destination));
    }

    @Test
    void likeTheSourceIsAccepted() {
        assertThat(columns(VALUE, VALUE)).isEmpty();
    }

    @Nested
    @DisplayName("by its key")
    class Keys {
        private final Column other = column("o", PrimitiveTypeId.UINT64);

        @Test
        void isRefusedWhenTypesDiffer() {
            assertThat(check(
                            table("/s/t", List.of("k"), KEY),
                            table("/d/t", List.of("k"), column("k", PrimitiveTypeId.UTF8))))
                    .containsExactly("ERROR its primary key [k Utf8] is not [k Uint64] as in the source");
        }

        @Test
        void isRefusedWhenTheOrderDiffers() {
            assertThat(check(
                            table("/s/t", List.of("k", "o"), KEY, other), table("/d/t", List.of("o", "k"), KEY, other)))
                    .singleElement()
                    .asString()
                    .startsWith("ERROR")
                    .contains("another order");
        }

        @Test
        void isOnlyWarnedOfWhenNamesDiffer() {
            assertThat(check(table("/s/t", List.of("k"), KEY), table("/d/t", List.of("o"), other)))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING");
        }
    }

    @Nested
    @DisplayName("by its columns")
    class Columns {
        @Test
        void isRefusedWhenOneIsMissing() {
            assertThat(check(table("/s/t", List.of("k"), KEY, VALUE), table("/d/t", List.of("k"), KEY)))
                    .containsExactly("ERROR it has no column v Int32 of /s/t");
        }

        @Test
        void isToldToGetTheDefaultOfAMissingOneToo() {
            assertThat(TableCheck.of(
                            table("/s/t", List.of("k"), KEY, VALUE, new Column("w", VALUE.type(), false, true)),
                            table("/d/t", List.of("k"), KEY),
                            Optional::empty))
                    .extracting(Finding::remedy)
                    .containsExactly(
                            "ALTER TABLE `/d/t` ADD COLUMN `v` Int32",
                            "ALTER TABLE `/d/t` ADD COLUMN `w` Int32 -- and the DEFAULT that it has in the source");
        }

        @Test
        void isRefusedWhenATypeDiffers() {
            assertThat(columns(VALUE, column("v", PrimitiveTypeId.UTF8)))
                    .containsExactly("ERROR column v is Utf8 here and Int32 in /s/t");
        }

        @Test
        void isAcceptedWhenAnIntegerIsWiderAndWarnedOfWhenItIsNarrower() {
            assertThat(columns(VALUE, column("v", PrimitiveTypeId.INT64))).isEmpty();
            assertThat(columns(column("v", PrimitiveTypeId.UINT32), column("v", PrimitiveTypeId.INT64)))
                    .isEmpty();
            assertThat(columns(VALUE, column("v", PrimitiveTypeId.INT16)))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING");
            assertThat(columns(VALUE, column("v", PrimitiveTypeId.UINT64)))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING");
        }

        @Test
        void isWarnedOfWhenOneRefusesNullThatTheSourceAllows() {
            assertThat(columns(VALUE, new Column("v", VALUE.type(), true, false)))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING")
                    .contains("NOT NULL");
        }

        @Test
        void isRefusedWhenANewRowCouldNotBeMadeAndElseWarnedOf() {
            TableShape source = table("/s/t", List.of("k"), KEY);
            YdbType type = VALUE.type();

            assertThat(check(source, table("/d/t", List.of("k"), KEY, new Column("x", type, true, false))))
                    .singleElement()
                    .asString()
                    .startsWith("ERROR");
            assertThat(TableCheck.of(
                            source,
                            table("/d/t", List.of("k"), KEY, new Column("x", type, true, true), VALUE),
                            Optional::empty))
                    .extracting(Finding::severity)
                    .containsExactly(Severity.WARNING, Severity.WARNING);
        }
    }
}
