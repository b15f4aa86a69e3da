package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.model.Scheme;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.Declarations;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A schema statement")
class SchemeStatementTest {
    /** Notes what it is asked for. */
    private static final class Recorder implements Scheme {
        final List<Object> calls = new ArrayList<>();

        @Override
        public void createTable(TableSpec table, boolean ifNotExists) {
            calls.add(table);
            calls.add(ifNotExists);
        }

        @Override
        public void alterTable(String path, List<TableSpec.Change> changes) {
            calls.add(path);
            calls.addAll(changes);
        }

        @Override
        public void dropTable(String path, boolean ifExists) {
            calls.add("drop table " + path + " " + ifExists);
        }

        @Override
        public void createTopic(TopicSpec topic, boolean ifNotExists) {
            calls.add(topic);
            calls.add(ifNotExists);
        }

        @Override
        public void alterTopic(String path, List<TopicSpec.Change> changes) {
            calls.add(path);
            calls.addAll(changes);
        }

        @Override
        public void dropTopic(String path, boolean ifExists) {
            calls.add("drop topic " + path + " " + ifExists);
        }

        @Override
        public void makeDirectory(String path) {
            throw new UnsupportedOperationException(path);
        }

        @Override
        public void removeDirectory(String path) {
            throw new UnsupportedOperationException(path);
        }
    }

    private final QueryEngine engine = new YqlEngine(path -> 0);

    private List<Object> asks(String text) {
        Recorder recorder = new Recorder();
        QueryEngine.Compiled compiled = engine.compile("/local", text);
        assertThat(compiled.isScheme()).isTrue();
        assertThat(compiled.isReadOnly()).isFalse();
        compiled.executeScheme(recorder);
        return recorder.calls;
    }

    private TableSpec table(String text) {
        return (TableSpec) asks(text).get(0);
    }

    @Nested
    @DisplayName("CREATE TABLE")
    class CreateTable {
        @Test
        void namesColumnsKeyAndPath() {
            TableSpec table =
                    table("CREATE TABLE `dir/t` (a Uint64 NOT NULL, `b c` Text, d Decimal(22,9), e Bytes NULL, "
                            + "PRIMARY KEY (a, `b c`))");
            assertThat(table.path()).isEqualTo("/local/dir/t");
            assertThat(table.primaryKey()).containsExactly("a", "b c");
            assertThat(table.columns())
                    .containsExactly(
                            Column.notNull("a", Primitive.UINT64),
                            Column.nullable("b c", Primitive.UTF8),
                            Column.nullable("d", new Type.Decimal(22, 9)),
                            Column.nullable("e", Primitive.STRING));
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "Bool",
                    "Int8",
                    "Int16",
                    "Int32",
                    "Int64",
                    "Uint8",
                    "Uint16",
                    "Uint32",
                    "Uint64",
                    "Float",
                    "Double",
                    "Date",
                    "Datetime",
                    "Timestamp",
                    "Interval",
                    "Date32",
                    "Datetime64",
                    "Timestamp64",
                    "Interval64",
                    "String",
                    "Utf8",
                    "Yson",
                    "Json",
                    "Uuid",
                    "JsonDocument",
                    "DyNumber"
                })
        void knowsEveryTypeInAnyCase(String type) {
            for (String spelling :
                    List.of(type, type.toLowerCase(java.util.Locale.ROOT), type.toUpperCase(java.util.Locale.ROOT))) {
                Type read = table("CREATE TABLE t (k Int32, v " + spelling + ", PRIMARY KEY (k))")
                        .columns()
                        .get(1)
                        .type();
                assertThat(read).hasToString(type);
            }
        }

        @Test
        void takesDefaultsInTheTypeOfTheirColumn() {
            List<Column> columns = table("CREATE TABLE t (k Int32, a Text DEFAULT 'x', b Uint64 NOT NULL DEFAULT 5, "
                            + "c String DEFAULT 'y', d Decimal(5,2) DEFAULT Decimal('1.5',5,2), e Int64 DEFAULT -1, "
                            + "f Timestamp DEFAULT Timestamp('1970-01-01T00:00:01Z'), PRIMARY KEY (k))")
                    .columns();
            assertThat(columns)
                    .extracting(Column::defaultValue)
                    .containsExactly(
                            null, "x", 5L, new Bytes(new byte[] {'y'}), BigInteger.valueOf(150), -1L, 1_000_000L);
        }

        @Test
        void makesSerialColumnsNotNull() {
            assertThat(table("CREATE TABLE t (a SmallSerial, b Serial, c BigSerial, PRIMARY KEY (a))")
                            .columns())
                    .containsExactly(
                            new Column("a", Primitive.INT16, true, null, true),
                            new Column("b", Primitive.INT32, true, null, true),
                            new Column("c", Primitive.INT64, true, null, true));
        }

        @Test
        void setsPartitioning() {
            TableSpec.Partitioning partitioning = table("CREATE TABLE t (a Uint64, PRIMARY KEY (a)) WITH ("
                            + "AUTO_PARTITIONING_BY_SIZE = ENABLED, AUTO_PARTITIONING_BY_LOAD = DISABLED, "
                            + "AUTO_PARTITIONING_PARTITION_SIZE_MB = 100, AUTO_PARTITIONING_MIN_PARTITIONS_COUNT = 2, "
                            + "auto_partitioning_max_partitions_count = 9, UNIFORM_PARTITIONS = 4, STORE = ROW)")
                    .partitioning();
            assertThat(partitioning).isEqualTo(new TableSpec.Partitioning(4, List.of(), true, false, 100, 2, 9));
        }

        @Test
        void splitsAtKeysInTheTypesOfTheKey() {
            List<?> keys = table("CREATE TABLE t (a Uint8, b Text, PRIMARY KEY (a, b)) "
                            + "WITH (PARTITION_AT_KEYS = (5, (7, 'x'), (9, NULL)))")
                    .partitioning()
                    .atKeys();
            assertThat(keys).isEqualTo(List.of(List.of(5L), List.of(7L, "x"), Arrays.asList(9L, null)));
        }

        @Test
        void declaresIndexesFeedsAndTimeToLive() {
            TableSpec table = table("CREATE TABLE t (a Uint64, b Text, c Timestamp, PRIMARY KEY (a), "
                    + "INDEX i GLOBAL ON (b), INDEX j GLOBAL ASYNC ON (b, c) COVER (a), "
                    + "CHANGEFEED f WITH (MODE = 'UPDATES', FORMAT = 'JSON')) "
                    + "WITH (TTL = Interval('PT1H') ON c)");
            assertThat(table.declarations())
                    .isEqualTo(new Declarations(
                            List.of(
                                    new Declarations.Index(
                                            "i", Declarations.Index.Kind.GLOBAL, List.of("b"), List.of()),
                                    new Declarations.Index(
                                            "j",
                                            Declarations.Index.Kind.GLOBAL_ASYNC,
                                            List.of("b", "c"),
                                            List.of("a"))),
                            new Declarations.TimeToLive("c", null, 3600, 0)));
            assertThat(table.changefeeds()).extracting(ChangefeedSpec::name).containsExactly("f");
        }

        @Test
        void mayDoNothingWhenTheTableIsThere() {
            assertThat(asks("create table if not exists t (a Int32, primary key (a))")
                            .get(1))
                    .isEqualTo(true);
        }

        @Test
        void belongsToTheDatabaseOrToThePrefix() {
            assertThat(table("PRAGMA TablePathPrefix('/local/x'); CREATE TABLE t (a Int32, PRIMARY KEY (a))")
                            .path())
                    .isEqualTo("/local/x/t");
            assertThat(table("CREATE TABLE `/local/y/t` (a Int32, PRIMARY KEY (a))")
                            .path())
                    .isEqualTo("/local/y/t");
        }
    }

    @Nested
    @DisplayName("about a changefeed")
    class Changefeeds {
        private ChangefeedSpec feed(String options) {
            Object change = asks("ALTER TABLE t ADD CHANGEFEED f WITH (" + options + ")")
                    .get(1);
            return ((TableSpec.Change.AddChangefeed) change).changefeed();
        }

        @Test
        void takesEveryOption() {
            assertThat(feed("MODE = 'new_and_old_images', FORMAT = \"JSON\", VIRTUAL_TIMESTAMPS = TRUE, "
                            + "RESOLVED_TIMESTAMPS = Interval(\"PT1S\"), INITIAL_SCAN = true, "
                            + "RETENTION_PERIOD = Interval('P2D'), SCHEMA_CHANGES = TRUE, USER_SIDS = TRUE, "
                            + "TRACE_IDS = FALSE, TOPIC_AUTO_PARTITIONING = 'ENABLED', TOPIC_MIN_ACTIVE_PARTITIONS = 3, "
                            + "TOPIC_MAX_ACTIVE_PARTITIONS = 7"))
                    .isEqualTo(new ChangefeedSpec(
                            "f",
                            ChangefeedSpec.Mode.NEW_AND_OLD_IMAGES,
                            ChangefeedSpec.Format.JSON,
                            true,
                            Duration.ofSeconds(1),
                            true,
                            Duration.ofDays(2),
                            true,
                            true,
                            true,
                            3,
                            7,
                            Map.of()));
        }

        @Test
        void calledByItsOtherNameSetsBarriers() {
            assertThat(feed("MODE = 'UPDATES', FORMAT = 'JSON', BARRIERS_INTERVAL = Interval('PT5S')")
                            .barriersInterval())
                    .isEqualTo(Duration.ofSeconds(5));
        }

        @ParameterizedTest(name = "{0}: {1}")
        @CsvSource(
                delimiter = '→',
                quoteCharacter = '\0',
                value = {
                    "MODE = 'X', FORMAT = 'JSON' → Unknown changefeed mode: X",
                    "MODE = 'UPDATES', FORMAT = 'X' → Unknown changefeed format: X",
                    "NOPE = TRUE → Unknown changefeed setting: NOPE",
                    "INITIAL_SCAN = 'yes' → Literal of Bool type is expected for INITIAL_SCAN",
                    "RETENTION_PERIOD = 'P1D' → Literal of Interval type is expected for RETENTION_PERIOD",
                    "RESOLVED_TIMESTAMPS = Interval('PT0S') → RESOLVED_TIMESTAMPS must be positive",
                    "TOPIC_MIN_ACTIVE_PARTITIONS = 0 → TOPIC_MIN_ACTIVE_PARTITIONS must be positive",
                    "FORMAT = 'JSON' → Changefeed f needs a MODE",
                    "MODE = 'UPDATES' → Changefeed f needs a FORMAT",
                    "MODE = 'UPDATES', FORMAT = 'JSON', AWS_REGION = 'x' → AWS_REGION incompatible"
                })
        void refusesWhatItDoesNotKnow(String options, String message) {
            assertThatThrownBy(() -> feed(options))
                    .isInstanceOf(YdbException.class)
                    .hasMessageContaining(message);
        }

        @Test
        void drops() {
            assertThat(asks("ALTER TABLE t DROP CHANGEFEED f"))
                    .containsExactly("/local/t", new TableSpec.Change.DropChangefeed("f"));
        }
    }

    @Test
    void altersColumnsIndexesAndSettings() {
        assertThat(asks("ALTER TABLE t ADD COLUMN a Int32, DROP COLUMN b, ADD INDEX i GLOBAL ON (c), DROP INDEX j, "
                        + "RENAME INDEX k TO l, SET (AUTO_PARTITIONING_BY_LOAD = ENABLED), "
                        + "SET (TTL = Interval('PT0S') ON c AS SECONDS), RESET (TTL)"))
                .containsExactly(
                        "/local/t",
                        new TableSpec.Change.AddColumn(Column.nullable("a", Primitive.INT32)),
                        new TableSpec.Change.DropColumn("b"),
                        new TableSpec.Change.AddIndex(
                                new Declarations.Index("i", Declarations.Index.Kind.GLOBAL, List.of("c"), List.of())),
                        new TableSpec.Change.DropIndex("j"),
                        new TableSpec.Change.RenameIndex("k", "l", false),
                        new TableSpec.Change.SetPartitioning(
                                new TableSpec.Partitioning(1, List.of(), null, true, 0, 0, 0)),
                        new TableSpec.Change.SetTtl(
                                new Declarations.TimeToLive("c", Declarations.TimeToLive.Unit.SECONDS, 0, 0)),
                        new TableSpec.Change.SetTtl(null));
    }

    @Test
    void dropsTablesAndTopics() {
        assertThat(asks("DROP TABLE t; DROP TABLE IF EXISTS `a/u`; DROP TOPIC p; DROP TOPIC IF EXISTS q"))
                .containsExactly(
                        "drop table /local/t false",
                        "drop table /local/a/u true",
                        "drop topic /local/p false",
                        "drop topic /local/q true");
    }

    @Test
    void createsTopicsWithConsumers() {
        List<Object> asked = asks("CREATE TOPIC p (CONSUMER a, CONSUMER b WITH (important = true, "
                + "read_from = Timestamp('1970-01-01T00:00:05Z'))) WITH (min_active_partitions = 3, "
                + "max_active_partitions = 9, retention_period = Interval('PT12H'), supported_codecs = 'raw, gzip', "
                + "auto_partitioning_strategy = 'scale_up')");
        assertThat(asked.get(0))
                .isEqualTo(new TopicSpec(
                        "/local/p",
                        3,
                        9,
                        true,
                        Duration.ofHours(12),
                        List.of(1, 2),
                        List.of(
                                new TopicSpec.ConsumerSpec("a", false, null, List.of(), Map.of()),
                                new TopicSpec.ConsumerSpec("b", true, Instant.ofEpochSecond(5), List.of(), Map.of())),
                        Map.of()));
    }

    @Test
    void altersTopics() {
        assertThat(asks("ALTER TOPIC `t/f` ADD CONSUMER c, DROP CONSUMER d, SET (retention_period = Interval('PT1H'))"))
                .containsExactly(
                        "/local/t/f",
                        new TopicSpec.Change.AddConsumer(
                                new TopicSpec.ConsumerSpec("c", false, null, List.of(), Map.of())),
                        new TopicSpec.Change.DropConsumer("d"),
                        new TopicSpec.Change.SetRetention(Duration.ofHours(1)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "CREATE TABLE t (a Int32)",
                "CREATE TABLE t (a NoType, PRIMARY KEY (a))",
                "CREATE TABLE t (a List<Int32>, PRIMARY KEY (a))",
                "CREATE TABLE t (a Int32 DEFAULT 'x', PRIMARY KEY (a))",
                "CREATE TABLE t (a Int32 DEFAULT 1 + 1, PRIMARY KEY (a))",
                "CREATE TABLE t (a Decimal(40,1), PRIMARY KEY (a))",
                "CREATE TABLE t (a Int32, PRIMARY KEY (a)) WITH (STORE = COLUMN)",
                "CREATE TABLE t (a Int32, PRIMARY KEY (a)) WITH (NOPE = 1)",
                "CREATE TABLE t (a Int32, PRIMARY KEY (a), INDEX i GLOBAL UNIQUE ON (a))",
                "CREATE TABLE t (a Int32, PRIMARY KEY (a)) WITH (PARTITION_AT_KEYS = ('x'))",
                "ALTER TABLE t RENAME TO u",
                "ALTER TOPIC t SET (nope = 1)",
                "CREATE TOPIC t WITH (supported_codecs = 'nope')",
                "CREATE TABLE t (a Int32, PRIMARY KEY (a)); SELECT 1",
                "CREATE VIEW v AS SELECT 1"
            })
    void thatAsksForMoreIsRefused(String text) {
        assertThatThrownBy(() -> asks(text))
                .isInstanceOfSatisfying(
                        YdbException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(Status.GENERIC_ERROR));
    }
}
