package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Statements that known programs issue")
class ClientStatementsTest {
    private final YqlBench yql = new YqlBench();

    private static TypedValue utf8(String text) {
        return new TypedValue(Primitive.UTF8, text);
    }

    @Nested
    @DisplayName("The Go replicator")
    class GoReplicator {
        @BeforeEach
        void stateTable() {
            yql.scheme(
                    "CREATE TABLE IF NOT EXISTS state (id Utf8, step_id Uint64, tx_id Uint64, state Utf8, stage Utf8, "
                            + "last_msg Utf8, lock_owner Utf8, lock_deadline Timestamp, PRIMARY KEY(id))");
        }

        @Test
        void createsItsFirstRowOnlyOnce() {
            String insert =
                    "INSERT INTO state (id, step_id, tx_id, state, stage) VALUES ($instanceId,0,0, $state, $stage)";
            Map<String, TypedValue> parameters =
                    Map.of("$instanceId", utf8("i"), "$state", utf8("OK"), "$stage", utf8("RUN"));
            yql.run(insert, parameters);
            YdbException second = yql.refusal(insert, parameters);
            assertThat(second.status()).isEqualTo(Status.PRECONDITION_FAILED);
            assertThat(second.toString()).contains("Conflict with existing key");
        }

        @Test
        void takesTheLockOfARowWithoutOwner() {
            yql.run("UPSERT INTO state (id, lock_owner) VALUES ('i', '')");
            String text = "DECLARE $LOCK_NAME AS Utf8;\nDECLARE $OWNER AS Utf8;\nDECLARE $TTL AS Interval;\n"
                    + "$ts = CurrentUtcTimestamp();\n$new_ts = $ts + $TTL;\n"
                    + "upsert into state\nselect\n id,\n"
                    + " if(lock_owner == $OWNER, lock_owner, if($ts >= lock_deadline ?? $ts, $OWNER, lock_owner)) as lock_owner,\n"
                    + " if(lock_owner == $OWNER, $new_ts, if($ts >= lock_deadline ?? $ts, $new_ts, lock_deadline)) as lock_deadline\n"
                    + "from state\nwhere id == $LOCK_NAME;\n"
                    + "select lock_owner, lock_deadline\nfrom state\nwhere id == $LOCK_NAME;\n";
            Map<String, TypedValue> parameters = Map.of(
                    "$LOCK_NAME",
                    utf8("i"),
                    "$OWNER",
                    utf8("me"),
                    "$TTL",
                    new TypedValue(Primitive.INTERVAL, 2_000_000L));
            assertThat(yql.rows(text, parameters)).containsExactly(List.of("me", YqlBench.NOW + 2_000_000L));
        }

        @Test
        void writesAndDeletesRowsOfUndeclaredListsInOneText() {
            yql.scheme("CREATE TABLE t (a Utf8, b Int64, v Utf8, PRIMARY KEY (a, b))");
            yql.run("UPSERT INTO t (a, b, v) VALUES ('x', 1, 'old'), ('y', 2, 'old')");
            List<Type.Member> row = List.of(
                    new Type.Member("v", Primitive.UTF8.nullable()),
                    new Type.Member("b", Primitive.INT64.nullable()),
                    new Type.Member("a", Primitive.UTF8.nullable()));
            List<Type.Member> key = List.of(
                    new Type.Member("b", Primitive.INT64.nullable()), new Type.Member("a", Primitive.UTF8.nullable()));
            yql.run(
                    "UPSERT INTO `t` (`a`, `b`, `v`) SELECT `a`, `b`, `v` FROM AS_TABLE($p_0_0);\n"
                            + "DELETE FROM `t` ON SELECT * FROM AS_TABLE($p_0_1);\n"
                            + "UPSERT INTO\n    state\n    (id, step_id, tx_id, stage)\nVALUES\n"
                            + "    ($instanceId, $stateStepId, $stateTxId, $stage);\n",
                    Map.of(
                            "p_0_0",
                                    YqlBench.structs(
                                            row, List.of(Arrays.asList("new", 1L, "x"), Arrays.asList(null, 3L, "z"))),
                            "p_0_1", YqlBench.structs(key, List.of(List.of(2L, "y"), List.of(9L, "missing"))),
                            "$instanceId", utf8("i"),
                            "$stateStepId", new TypedValue(Primitive.UINT64, -1L),
                            "$stateTxId", new TypedValue(Primitive.UINT64, 7L),
                            "$stage", utf8("RUN")));
            assertThat(yql.rows("SELECT a, b, v FROM t"))
                    .containsExactly(List.of("x", 1L, "new"), Arrays.asList("z", 3L, null));
            assertThat(yql.rows("SELECT step_id, tx_id FROM state WHERE id = 'i';"))
                    .containsExactly(List.of(-1L, 7L));
        }

        @Test
        void addsAChangefeedWithDoubleQuotedValues() {
            assertThatCode(() -> yql.engine.compile(
                            YqlBench.DATABASE,
                            "ALTER TABLE `state` ADD CHANGEFEED `feed` WITH (\n  FORMAT = \"JSON\",\n  MODE = \"UPDATES\",\n"
                                    + "  VIRTUAL_TIMESTAMPS = TRUE,\n  RESOLVED_TIMESTAMPS = Interval(\"PT1S\"),\n"
                                    + "  INITIAL_SCAN = TRUE\n);"))
                    .doesNotThrowAnyException();
        }
    }

    @Nested
    @DisplayName("The tests of the Java SDK")
    class JavaSdk {
        @Test
        void joinThreeTables() {
            yql.scheme(
                    "CREATE TABLE series (  series_id UInt64,  title Text,  release_date Date,  PRIMARY KEY(series_id))");
            yql.scheme("CREATE TABLE seasons (  series_id UInt64,  season_id UInt64,  title Text,"
                    + "  PRIMARY KEY(series_id, season_id))");
            yql.scheme("CREATE TABLE episodes (  series_id UInt64,  season_id UInt64,  episode_id UInt64,  title Text,"
                    + "  PRIMARY KEY(series_id, season_id, episode_id))");
            yql.run("UPSERT INTO series (series_id, title) VALUES (2, 'S');"
                    + "UPSERT INTO seasons (series_id, season_id, title) VALUES (2, 1, 'One'), (2, 2, 'Two');"
                    + "UPSERT INTO episodes (series_id, season_id, episode_id, title) VALUES (2, 1, 1, 'a'), (2, 1, 2, 'b'),"
                    + " (2, 2, 1, 'c');");
            assertThat(yql.rows(
                            "DECLARE $seriesId AS Uint64; DECLARE $seasonId AS Uint64; "
                                    + "SELECT ep.title AS episode_title, sa.title AS season_title, sr.title AS series_title "
                                    + "FROM episodes AS ep JOIN seasons AS sa ON sa.season_id = ep.season_id "
                                    + "JOIN series AS sr ON sr.series_id = sa.series_id "
                                    + "WHERE sa.series_id = $seriesId AND sa.season_id = $seasonId;",
                            Map.of(
                                    "$seriesId", new TypedValue(Primitive.UINT64, 2L),
                                    "$seasonId", new TypedValue(Primitive.UINT64, 1L))))
                    .containsExactlyInAnyOrder(List.of("a", "One", "S"), List.of("b", "One", "S"));
        }

        @Test
        void insertTenThousandRowsByALambda() {
            yql.scheme("CREATE TABLE series (series_id Uint64 NOT NULL, title Text, PRIMARY KEY(series_id))");
            List<ResultSet> results = yql.run("SELECT * FROM series ORDER BY series_id;"
                    + "INSERT INTO series SELECT * FROM AS_TABLE(ListMap(ListFromRange(10000, 20000), ($x) -> {"
                    + " RETURN <|series_id: $x, title: 'TEST'u || CAST($x AS Text)|>;" + "}));"
                    + "SELECT * FROM series ORDER BY series_id;" + "DELETE FROM series WHERE series_id >= 10000;"
                    + "SELECT * FROM series ORDER BY series_id;");
            assertThat(results).extracting(result -> result.rows().size()).containsExactly(0, 10_000, 0);
        }

        @Test
        void returnTheNumbersOfASerialColumn() {
            yql.scheme("CREATE TABLE numbered(" + " id SmallSerial," + " value Text," + " PRIMARY KEY(id))");
            assertThat(yql.rows("INSERT INTO numbered (value) VALUES ('1'), ('2'), ('3') RETURNING id;"))
                    .containsExactly(List.of(1L), List.of(2L), List.of(3L));
        }

        @Test
        void seeDefaultsWhereAnInsertLeavesColumnsOut() {
            yql.scheme("CREATE TABLE d(" + " id Int32 NOT NULl," + " v1 Text NOT NULL DEFAULT 'non',"
                    + " v2 Text DEFAULT 'null'," + " PRIMARY KEY(id))");
            assertThat(yql.rows("INSERT INTO d (id) VALUES (1);" + "INSERT INTO d (id, v1) VALUES (2, 'v1');"
                            + "INSERT INTO d (id, v2) VALUES (3, 'v2'), (4, NULL);"
                            + "SELECT id, v1, v2 FROM d ORDER BY id"))
                    .containsExactly(
                            List.of(1L, "non", "null"),
                            List.of(2L, "v1", "null"),
                            List.of(3L, "non", "v2"),
                            Arrays.asList(4L, "non", null));
        }

        @Test
        void findTypesOfLiterals() {
            ResultSet result =
                    yql.run("SELECT '1' AS p1, 123 AS p2, NULL AS p3").get(0);
            assertThat(result.columns())
                    .extracting(Type.Member::type)
                    .containsExactly(Primitive.STRING, Primitive.INT32, Type.Unit.NULL);
        }

        @Test
        void nameAnUnnamedColumnByItsPlace() {
            ResultSet result = yql.run("SELECT 2 + 3;").get(0);
            assertThat(result.columns()).containsExactly(new Type.Member("column0", Primitive.INT32));
            assertThat(result.rows()).containsExactly(List.of(5L));
        }

        @Test
        void getAnIssueForEachBadLiteral() {
            YdbException refusal = yql.refusal("SELECT Timestamp('1969-12-31T23:59:59.999999Z') as t6,"
                    + "Timestamp('2106-01-01T00:00:00.000000Z') as t7;");
            assertThat(refusal.status()).isEqualTo(Status.GENERIC_ERROR);
            assertThat(refusal.issues())
                    .extracting(Issue::message)
                    .containsExactly(
                            "Invalid value \"1969-12-31T23:59:59.999999Z\" for type Timestamp",
                            "Invalid value \"2106-01-01T00:00:00.000000Z\" for type Timestamp");
        }

        @Test
        void readTheBoundsOfWideTimestamps() {
            assertThat(yql.rows("SELECT Timestamp64('-144169-01-01T00:00:00Z') as t1,"
                            + "Timestamp64('148107-12-31T23:59:59.999999Z') as t2;"))
                    .containsExactly(List.of(-4611669897600_000000L, 4611669811199_999999L));
            assertThat(yql.refusal("SELECT Timestamp64('-144170-01-01T00:00:00Z') as t1,"
                                    + "Timestamp64('148108-01-01T00:00:00.000000Z') as t2;")
                            .issues())
                    .hasSize(2);
        }

        @Test
        void makeTimestampsOfNumbers() {
            ResultSet result = yql.run("SELECT DateTime::MakeTimestamp(DateTime::FromMilliseconds(0ul)) as t1,"
                            + "DateTime::MakeTimestamp(DateTime::FromMicroseconds(4291747199999999ul)) as t3")
                    .get(0);
            assertThat(result.columns()).extracting(Type.Member::type).containsOnly(Primitive.TIMESTAMP.nullable());
            assertThat(result.rows()).containsExactly(List.of(0L, 4291747199999999L));
        }

        @Test
        void assignWhatTheyHaveDeclared() {
            assertThat(yql.rows(
                            "DECLARE $d AS Date32;\nDECLARE $unused AS Int32;\n$d=Date32('998-06-02'); \nSELECT $d;"))
                    .containsExactly(List.of(java.time.LocalDate.of(998, 6, 2).toEpochDay()));
        }

        @Test
        void findNoTableWithAWrongName() {
            assertThat(yql.status("SELECT * FROM wrongTable")).isEqualTo(Status.SCHEME_ERROR);
        }
    }

    @Nested
    @DisplayName("The first steps of the Python SDK")
    class PythonExample {
        @Test
        void replaceRowsAndFormatTheirDates() {
            yql.scheme("PRAGMA TablePathPrefix(\"/local\"); CREATE table `series` (`series_id` Int64, `title` Utf8,"
                    + " `series_info` Utf8, `release_date` Date, PRIMARY KEY (`series_id`))");
            TypedValue data = YqlBench.structs(
                    List.of(
                            new Type.Member("series_id", Primitive.INT64),
                            new Type.Member("title", Primitive.UTF8),
                            new Type.Member("series_info", Primitive.UTF8),
                            new Type.Member("release_date", Primitive.DATE)),
                    List.of(List.of(1L, "IT Crowd", "info", 13182L)));
            yql.run(
                    "PRAGMA TablePathPrefix(\"/local\");\n"
                            + "DECLARE $seriesData AS List<Struct<series_id: Int64, title: Utf8, series_info: Utf8,"
                            + " release_date: Date>>;\n"
                            + "REPLACE INTO series SELECT series_id, title, series_info, release_date"
                            + " FROM AS_TABLE($seriesData);",
                    Map.of("$seriesData", data));
            assertThat(yql.rows("PRAGMA TablePathPrefix(\"/local\");\n$format = DateTime::Format(\"%Y-%m-%d\");\n"
                            + "SELECT series_id, title, $format(DateTime::FromSeconds(CAST(DateTime::ToSeconds("
                            + "DateTime::IntervalFromDays(CAST(release_date AS Int16))) AS Uint32))) AS release_date "
                            + "FROM series WHERE series_id = 1;"))
                    .containsExactly(List.of(1L, "IT Crowd", YqlBench.bytes("2006-02-03")));
        }
    }
}
