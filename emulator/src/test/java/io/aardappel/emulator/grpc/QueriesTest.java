package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.query.QueryEngine;
import io.aardappel.emulator.query.YqlEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is done to table t is seen by")
class QueriesTest {
    private static final String TABLE = "/local/t";

    private static RawYdb ydb;

    @BeforeAll
    static void start() {
        ydb = RawYdb.start();
    }

    @AfterAll
    static void stop() {
        ydb.close();
    }

    private static Database database() {
        return ydb.emulator.database();
    }

    @Nested
    @DisplayName("the path of a request,")
    class Path {
        private static boolean concerns(String path, String wanted) {
            return Queries.siteOf(database(), Operation.READ_TABLE, path)
                    .touches()
                    .test(wanted);
        }

        @ParameterizedTest
        @ValueSource(strings = {"t", "/local/t", "/local/t/feed"})
        @DisplayName("absolute or not, and by that of what lies below it")
        void named(String path) {
            assertThat(concerns(path, TABLE)).isTrue();
            assertThat(concerns(path, "/local")).isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "/local/state", "/local/dir/t", "at", "t-2"})
        @DisplayName("not by a longer name that holds the same letters")
        void notNamed(String path) {
            assertThat(concerns(path, TABLE)).isFalse();
        }
    }

    @Nested
    @DisplayName("the text of a query,")
    class Text {
        private static boolean concerns(String text) {
            QueryEngine engine = new YqlEngine(path -> 0);
            return Site.about(
                            "/local",
                            Operation.QUERY,
                            () -> engine.compile("/local", text).paths())
                    .touches()
                    .test(TABLE);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM t;",
                    "SELECT * FROM `t` WHERE k = 1",
                    "SELECT * FROM `/local/t`",
                    "SELECT 1 FROM state AS s JOIN t AS other ON s.k = other.k",
                    "UPSERT INTO state SELECT * FROM t",
                    "DELETE FROM t ON SELECT * FROM AS_TABLE($p)",
                    "PRAGMA TablePathPrefix = '/local/t'; SELECT * FROM feed",
                    "ALTER TOPIC `t/feed` ADD CONSUMER c"
                })
        @DisplayName("absolute or not, and by that of what lies below it")
        void named(String text) {
            assertThat(concerns(text)).isTrue();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT * FROM state;",
                    "SELECT * FROM `t-2`",
                    "SELECT * FROM t_2",
                    "SELECT * FROM at",
                    "SELECT * FROM `dir/t`",
                    "SELECT * FROM `/local/dir/t`",
                    "SELECT * FROM state AS t -- not t",
                    "SELECT t FROM state WHERE t = 't'",
                    "PRAGMA TablePathPrefix = '/local/dir'; SELECT * FROM t"
                })
        @DisplayName("not by a longer name that holds the same letters, nor by other words of the text")
        void notNamed(String text) {
            assertThat(concerns(text)).isFalse();
        }
    }
}
