package io.aardappel.emulator.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.topic.read.Message;
import tech.ydb.topic.read.SyncReader;
import tech.ydb.topic.settings.ReaderSettings;
import tech.ydb.topic.settings.TopicReadSettings;

@DisplayName("Any YDB")
class YdbContractTest {
    private static AnyYdb ydb;

    @BeforeAll
    static void open() throws Exception {
        ydb = AnyYdb.open();
    }

    @AfterAll
    static void close() {
        ydb.close();
    }

    /** Members of a record have no order. */
    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static String table(String what) {
        String name = ydb.name(what);
        ydb.must("CREATE TABLE `" + name + "` (id Uint64 NOT NULL, v Int64, t Utf8, PRIMARY KEY (id));");
        return name;
    }

    @Nested
    @DisplayName("as a store of rows")
    class Rows {
        @Test
        void upsertOverlaysTheColumnsThatItNames() {
            String name = table("upsert");
            ydb.must("UPSERT INTO `" + name + "` (id, v, t) VALUES (1u, 10, 'x'u);");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 11);");
            assertThat(ydb.select("SELECT v ?? -1, t ?? 'null'u FROM `" + name + "`;"))
                    .containsExactly(List.of("11", "\"x\""));
        }

        @Test
        void replaceClearsTheColumnsThatItDoesNotName() {
            String name = table("replace");
            ydb.must("UPSERT INTO `" + name + "` (id, v, t) VALUES (1u, 10, 'x'u);");
            ydb.must("REPLACE INTO `" + name + "` (id, v) VALUES (1u, 11);");
            assertThat(ydb.select("SELECT v ?? -1, t ?? 'null'u FROM `" + name + "`;"))
                    .containsExactly(List.of("11", "\"null\""));
        }

        @Test
        void insertOfAKeyThatIsThereIsRefused() {
            String name = table("insert");
            ydb.must("INSERT INTO `" + name + "` (id) VALUES (1u);");
            Status second = ydb.run("INSERT INTO `" + name + "` (id) VALUES (1u);");
            assertThat(second.getCode()).isEqualTo(StatusCode.PRECONDITION_FAILED);
            assertThat(String.valueOf(second)).contains("Conflict with existing key");
        }

        @Test
        void updateTouchesOnlyRowsThatAreThere() {
            String name = table("update");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 1);");
            ydb.must(
                    "UPDATE `" + name
                            + "` ON SELECT * FROM AS_TABLE(AsList(AsStruct(1ul AS id, 5l AS v), AsStruct(2ul AS id, 6l AS v)));");
            assertThat(ydb.select("SELECT id, v ?? -1 FROM `" + name + "` ORDER BY id;"))
                    .containsExactly(List.of("1", "5"));
        }

        @Test
        void deleteRemovesTheRowsOfItsKeys() {
            String name = table("delete");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 1), (2u, 2), (3u, 3);");
            ydb.must("DELETE FROM `" + name
                    + "` ON SELECT * FROM AS_TABLE(AsList(AsStruct(1ul AS id), AsStruct(9ul AS id)));");
            ydb.must("DELETE FROM `" + name + "` WHERE v = 3;");
            assertThat(ydb.select("SELECT id FROM `" + name + "` ORDER BY id;")).containsExactly(List.of("2"));
        }

        @Test
        void aRowThatMissesANotNullColumnIsRefused() {
            String name = ydb.name("not_null");
            ydb.must("CREATE TABLE `" + name + "` (id Uint64 NOT NULL, v Int64 NOT NULL, PRIMARY KEY (id));");
            assertThat(ydb.run("UPSERT INTO `" + name + "` (id) VALUES (1u);").isSuccess())
                    .isFalse();
            assertThat(ydb.run("UPSERT INTO `" + name + "` (id, v) VALUES (1u, NULL);")
                            .isSuccess())
                    .isFalse();
            assertThat(ydb.select("SELECT id FROM `" + name + "`;")).isEmpty();
        }

        @Test
        void rowsComeInKeyOrderWithNullFirst() {
            String name = ydb.name("order");
            ydb.must("CREATE TABLE `" + name + "` (k Int32, PRIMARY KEY (k));");
            ydb.must("UPSERT INTO `" + name + "` (k) VALUES (5), (-3), (NULL), (0);");
            assertThat(ydb.select("SELECT k ?? 99 FROM `" + name + "` ORDER BY k;"))
                    .containsExactly(List.of("99"), List.of("-3"), List.of("0"), List.of("5"));
        }
    }

    @Nested
    @DisplayName("as a compiler of YQL")
    class Yql {
        @ParameterizedTest
        @CsvSource({
            "SELEC 1;, GENERIC_ERROR",
            "SELECT * FROM `no_such_table_anywhere`;, SCHEME_ERROR",
            "SELECT $missing;, GENERIC_ERROR"
        })
        void refusesWhatItDoesNotKnow(String text, StatusCode code) {
            assertThat(ydb.run(text).getCode()).isEqualTo(code);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "1 + 2 * 3 | 7",
                    "NULL ?? 4 | 4",
                    "IF(1 < 2, 'a'u, 'b'u) | \"a\"",
                    "CAST('17' AS Int32) ?? 0 | 17",
                    "2 BETWEEN 1 AND 3 | true",
                    "5 IN (1, 5) | true",
                    "(1, 2) < (1, 3) | true"
                })
        void evaluatesExpressions(String expression, String value) {
            assertThat(ydb.select("SELECT " + expression + ";")).containsExactly(List.of(value));
        }

        @Test
        void groupsAndCounts() {
            String name = table("group");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 1), (2u, 1), (3u, 2);");
            assertThat(ydb.select("SELECT v ?? 0 AS w, COUNT(*) AS n FROM `" + name + "` GROUP BY v ORDER BY w;"))
                    .containsExactly(List.of("1", "2"), List.of("2", "1"));
        }
    }

    @Nested
    @DisplayName("as a keeper of transactions")
    class Transactions {
        private QuerySession session;
        private QueryTransaction transaction;

        @BeforeEach
        void begin() {
            session = ydb.session();
            transaction = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
        }

        @AfterEach
        void end() {
            session.close();
        }

        private List<List<String>> rows(String text) {
            QueryReader result =
                    QueryReader.readFrom(transaction.createQuery(text)).join().getValue();
            return AnyYdb.rows(result.getResultSet(0));
        }

        private void run(String text) {
            transaction.createQuery(text).execute().join().getStatus().expectSuccess(text);
        }

        private StatusCode runAndCommit(String text) {
            return transaction
                    .createQueryWithCommit(text)
                    .execute()
                    .join()
                    .getStatus()
                    .getCode();
        }

        @Test
        void aTransactionSeesItsOwnWritesAndNobodyElseDoes() {
            String name = table("own");
            String all = "SELECT id FROM `" + name + "`;";
            run("UPSERT INTO `" + name + "` (id) VALUES (1u);");
            assertThat(rows(all)).hasSize(1);
            assertThat(ydb.select(all)).isEmpty();
            transaction.rollback().join().expectSuccess();
            assertThat(ydb.select(all)).isEmpty();
        }

        @Test
        void aCommitIntoWhatWasReadAbortsTheReader() {
            String name = table("conflict");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 1);");
            run("SELECT v FROM `" + name + "` WHERE id = 1u;");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 2);");
            assertThat(runAndCommit("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 3);"))
                    .isEqualTo(StatusCode.ABORTED);
            assertThat(ydb.select("SELECT v ?? 0 FROM `" + name + "`;")).containsExactly(List.of("2"));
        }

        @Test
        void aRowThatAppearsInARangeThatWasReadAbortsTheReader() {
            String name = table("phantom");
            run("SELECT COUNT(*) FROM `" + name + "` WHERE id > 10u;");
            ydb.must("UPSERT INTO `" + name + "` (id) VALUES (11u);");
            assertThat(runAndCommit("UPSERT INTO `" + name + "` (id) VALUES (1u);"))
                    .isEqualTo(StatusCode.ABORTED);
        }

        @Test
        void writesOfOtherKeysDoNotDisturb() {
            String name = table("disjoint");
            run("SELECT v FROM `" + name + "` WHERE id = 1u;");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (2u, 2);");
            assertThat(runAndCommit("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 3);"))
                    .isEqualTo(StatusCode.SUCCESS);
        }

        @Test
        void theClockStandsStillInATransaction() {
            assertThat(rows("SELECT CurrentUtcTimestamp() = CurrentUtcTimestamp();"))
                    .containsExactly(List.of("true"));
            transaction.rollback().join().expectSuccess();
        }
    }

    @Nested
    @DisplayName("as a source of changefeeds")
    class Changefeeds {
        @Test
        void recordsOfOneKeyComeInOrder() throws Exception {
            String name = table("feed");
            ydb.must("ALTER TABLE `" + name + "` ADD CHANGEFEED feed WITH (MODE = 'UPDATES', FORMAT = 'JSON');");
            ydb.must("ALTER TOPIC `" + name + "/feed` ADD CONSUMER c;");
            ydb.must("UPSERT INTO `" + name + "` (id, v) VALUES (1u, 1);");
            ydb.must("UPSERT INTO `" + name + "` (id, t) VALUES (1u, 'x'u);");
            ydb.must("DELETE FROM `" + name + "` WHERE id = 1u;");
            assertThat(read(name + "/feed", 3))
                    .map(YdbContractTest::json)
                    .containsExactly(
                            json("{\"update\":{\"v\":1},\"key\":[1]}"),
                            json("{\"update\":{\"t\":\"x\"},\"key\":[1]}"),
                            json("{\"erase\":{},\"key\":[1]}"));
        }

        @Test
        void oneTransactionGivesOneTimestampToAllItsRecords() throws Exception {
            String one = table("tx_one");
            String two = table("tx_two");
            for (String name : List.of(one, two)) {
                ydb.must(
                        "ALTER TABLE `" + name
                                + "` ADD CHANGEFEED feed WITH (MODE = 'KEYS_ONLY', FORMAT = 'JSON', VIRTUAL_TIMESTAMPS = TRUE);");
                ydb.must("ALTER TOPIC `" + name + "/feed` ADD CONSUMER c;");
            }
            ydb.must("UPSERT INTO `" + one + "` (id) VALUES (1u); UPSERT INTO `" + two + "` (id) VALUES (2u);");
            String first = read(one + "/feed", 1).get(0);
            String second = read(two + "/feed", 1).get(0);
            assertThat(timestamp(first)).isEqualTo(timestamp(second));
        }

        @Test
        void barriersComeWithoutData() throws Exception {
            String name = table("barriers");
            ydb.must(
                    "ALTER TABLE `" + name
                            + "` ADD CHANGEFEED feed WITH (MODE = 'UPDATES', FORMAT = 'JSON', VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'));");
            ydb.must("ALTER TOPIC `" + name + "/feed` ADD CONSUMER c;");
            assertThat(read(name + "/feed", 2)).allMatch(record -> record.startsWith("{\"resolved\":["));
        }

        @Test
        void aDebeziumFeedWithVirtualTimestampsIsRefused() {
            String name = table("debezium");
            assertThat(ydb.run(
                                    "ALTER TABLE `" + name
                                            + "` ADD CHANGEFEED feed WITH (MODE = 'NEW_IMAGE', FORMAT = 'DEBEZIUM_JSON', VIRTUAL_TIMESTAMPS = TRUE);")
                            .getCode())
                    .isEqualTo(StatusCode.BAD_REQUEST);
        }

        private List<String> read(String topic, int count) throws Exception {
            SyncReader reader = ydb.topics()
                    .createSyncReader(ReaderSettings.newBuilder()
                            .setConsumerName("c")
                            .addTopic(TopicReadSettings.newBuilder()
                                    .setPath(ydb.database() + "/" + topic)
                                    .build())
                            .build());
            reader.initAndWait();
            List<String> texts = new ArrayList<>();
            try {
                while (texts.size() < count) {
                    Message message = reader.receive(20, TimeUnit.SECONDS);
                    assertThat(message)
                            .as("message %d of %s", texts.size(), topic)
                            .isNotNull();
                    texts.add(new String(message.getData(), StandardCharsets.UTF_8));
                }
            } finally {
                reader.shutdown();
            }
            return texts;
        }

        private String timestamp(String record) {
            return record.replaceAll(".*\"ts\":\\[([0-9,]*)].*", "$1");
        }
    }

    @Nested
    @DisplayName("as a directory of objects")
    class Scheme {
        @Test
        void describesATable() {
            String name = table("described");
            assertThat(ydb.scheme()
                            .describePath(ydb.database() + "/" + name)
                            .join()
                            .getValue()
                            .getEntry()
                            .getName())
                    .isEqualTo(name);
        }

        @Test
        void anAbsentPathIsASchemeError() {
            assertThat(ydb.scheme()
                            .describePath(ydb.database() + "/nowhere/at/all")
                            .join()
                            .getStatus()
                            .getCode())
                    .isEqualTo(StatusCode.SCHEME_ERROR);
        }

        @Test
        void aDroppedTableIsGone() {
            String name = table("dropped");
            ydb.must("DROP TABLE `" + name + "`;");
            assertThat(ydb.run("SELECT * FROM `" + name + "`;").getCode()).isEqualTo(StatusCode.SCHEME_ERROR);
        }
    }
}
