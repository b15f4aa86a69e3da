package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.StateTable;
import io.aardappel.contract.TableName;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.replicator.config.ConfigReader;
import io.aardappel.replicator.config.Reading;
import io.aardappel.replicator.core.Anew;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator --check tells of the instance")
class StartCheckTest {
    private static final String MANY = "multiple_instances_mode: true\n";

    private final YdbEmulator ydb;
    private final Terminal terminal;
    private final Terminal source;

    @TempDir
    private Path folder;

    StartCheckTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.terminal = new Terminal(ydb.port());
        this.source = new Terminal(ydb.port(), "/src");
    }

    @BeforeEach
    void makeTheTables() {
        source.scheme("CREATE TABLE goods (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
        source.scheme("ALTER TABLE goods ADD CHANGEFEED feed WITH (MODE = 'UPDATES', FORMAT = 'JSON',"
                + " VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))");
        source.scheme("ALTER TOPIC `goods/feed` ADD CONSUMER c");
        terminal.scheme("CREATE TABLE goods (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
    }

    private int check(String furtherLines) throws IOException {
        String file = terminal.configurationWithSource(folder, furtherLines).toString();
        return terminal.call("--check", "-config", file);
    }

    private void streams(String... topics) {
        for (String topic : topics) {
            terminal.write("UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at)"
                    + " VALUES ('shop', '/src/" + topic + "', 'c', '/dst/goods', 'member', 5ul)");
        }
    }

    private void set(String assignments) {
        terminal.write("UPDATE state SET " + assignments + " WHERE id = 'shop'");
    }

    @Nested
    @DisplayName("that is not there")
    class NotThere {
        @Test
        @DisplayName("that a start makes it, though the state table is there")
        void saysSo() throws IOException {
            assertThat(check("")).isZero();
            assertThat(terminal.lines())
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("instance shop: not there yet; a start makes its row in /dst/state")
                                    .contains("INITIAL_SCAN = TRUE"),
                            line -> assertThat(line).isEqualTo("nothing wrong"));

            terminal.scheme(StateTable.createIfAbsent(new TableName("state")));
            assertThat(check("")).isZero();
            assertThat(terminal.text()).contains("not there yet");
        }

        @Test
        @DisplayName("that its scan will not take away the rows that are in a table")
        void warnsOfRows() throws IOException {
            terminal.write("UPSERT INTO goods (k, v) VALUES (9ul, 'stray')");

            assertThat(check("")).isZero();
            assertThat(terminal.lines())
                    .first()
                    .asString()
                    .contains(
                            "WARNING /dst/goods: it has rows",
                            "rows that the source lacks stay",
                            "DELETE FROM `/dst/goods`");
            assertThat(terminal.lines())
                    .last()
                    .isEqualTo("1 warning, told above, in spite of which a start goes on; nothing wrong beside");
        }

        @Test
        @DisplayName("that its consumer has passed over what the copy would need")
        void refusesAConsumerThatHasRead() throws IOException {
            source.write("UPSERT INTO goods (k, v) VALUES (1ul, 'one')");
            ydb.topics("/src").get("/src/goods/feed").setCommitted("c", 0, 1);

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());
            assertThat(terminal.text())
                    .contains(
                            "/src/goods/feed: the instance begins anew, but consumer c has read partition 0 up to offset 1")
                    .contains("the changes from 0 on would be missing", "docs/runbooks/fatal/STATE_LOST.md");

            String remedy = terminal.text().replaceAll("(?s).*(ALTER TOPIC .*?); (ALTER TOPIC [^\n]*?`c`).*", "$1;$2");
            for (String statement : remedy.split(";")) {
                source.scheme(statement);
            }
            assertThat(check("")).isZero();
            assertThat(terminal.text()).doesNotContain("begins anew, but");
        }

        @Test
        @DisplayName("that its topic has forgotten the beginning, for which another consumer is no remedy")
        void refusesATopicThatHasForgotten() throws IOException {
            source.write("UPSERT INTO goods (k, v) VALUES (1ul, 'one')");
            ydb.topics("/src").get("/src/goods/feed").cutOldest(1);

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());
            assertThat(terminal.text())
                    .contains("its topic keeps partition 0 from offset 1 on only", "Make the changefeed of")
                    .doesNotContain("DROP CONSUMER");
        }

        @Test
        @DisplayName("that its row is gone, where rows of ours tell that it was there, and how to put it back")
        void tellsOfALostRow() throws IOException {
            terminal.createState();
            terminal.write("UPSERT INTO state_instances (id, commit_seq, vouched_step, vouched_tx, phase)"
                    + " VALUES ('shop', 7ul, 1764500000000ul, 9ul, 'NONE')");
            streams("goods/feed");
            terminal.write("DELETE FROM state WHERE id = 'shop'");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());
            assertThat(terminal.text())
                    .contains("ERROR instance shop: state table /dst/state, row 'shop': the row is gone")
                    .contains("checkpoint [1764500000000,9] (2025-11-30T10:53:20Z), and /dst/state_streams of 1 stream")
                    .contains("docs/runbooks/fatal/STATE_LOST.md");

            terminal.write(terminal.text().replaceAll("(?s).*(UPSERT INTO [^\n]*?'\\)).*", "$1"));
            check("");
            assertThat(terminal.text())
                    .contains("instance shop: stage RUN, state OK, checkpoint [1764500000000,9]")
                    .doesNotContain("is gone");
        }

        @Test
        @DisplayName("the same where the whole state table is gone")
        void tellsOfALostTable() throws IOException {
            terminal.createState();
            streams("goods/feed");
            terminal.scheme("DROP TABLE state");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());
            assertThat(terminal.text())
                    .contains("row 'shop': the table is gone, and the row with it")
                    .contains("CREATE TABLE IF NOT EXISTS `/dst/state`", "'INITIAL_SCAN')");
        }
    }

    @Nested
    @DisplayName("that is not there, beside another one of the same state table")
    class BesideAnother {
        @BeforeEach
        void leaveAnother() {
            terminal.createState();
            terminal.write("UPSERT INTO state (id, step_id, tx_id, state, stage, lock_owner, lock_deadline) VALUES"
                    + " ('other', 10ul, 0ul, 'OK', 'RUN', 'lock_of_other', CurrentUtcTimestamp() + Interval('PT1H'))");
            terminal.write("DELETE FROM state WHERE id = 'shop'");
            terminal.write("UPSERT INTO goods (k, v) VALUES (9ul, 'copied')");
            source.write("UPSERT INTO goods (k, v) VALUES (1ul, 'one')");
            ydb.topics("/src").get("/src/goods/feed").setCommitted("c", 0, 1);
        }

        private void record(String topic, String consumer, String table, long created) {
            terminal.write("UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at) VALUES"
                    + " ('other', '" + topic + "', '" + consumer + "', '" + table + "', 'member', " + created + "ul)");
        }

        private long created() {
            return ydb.topics("/src").get("/src/goods/feed").created().step();
        }

        private void advisesNoDestruction() {
            assertThat(terminal.text()).doesNotContain("DELETE FROM", "DROP CONSUMER");
        }

        @Test
        @DisplayName("that the other one replicates this very stream, and who holds its lock")
        void namesTheOtherOne() throws IOException {
            record("/src/goods/feed", "c", "/dst/goods", created());

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text())
                    .contains(
                            "ERROR /src/goods/feed: instance other, recorded in /dst/state, replicates this stream by the"
                                    + " same consumer c into the same table /dst/goods; its lock is held by lock_of_other")
                    .contains("instance_id: other", "members remove");
            advisesNoDestruction();
        }

        @Test
        @DisplayName("the same of one that stands still, and since when")
        void namesOneThatStandsStill() throws IOException {
            record("/src/goods/feed", "c", "/dst/goods", created());
            terminal.write("UPDATE state SET lock_deadline = Timestamp('2025-11-30T10:00:00Z') WHERE id = 'other'");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text()).contains("its lock is free since 2025-11-30T10:00:00Z");
            advisesNoDestruction();
        }

        @Test
        @DisplayName("that the other one writes its table, though from another stream")
        void namesOneThatWritesTheTable() throws IOException {
            record("/src/orders/feed", "c", "/dst/goods", 5);
            ydb.topics("/src").get("/src/goods/feed").setCommitted("c", 0, 0);

            assertThat(check("")).isZero();

            assertThat(terminal.text())
                    .contains("WARNING /dst/goods: instance other, recorded in /dst/state, writes this table, too, from"
                            + " /src/orders/feed by consumer c; its lock is held");
            advisesNoDestruction();
        }

        @Test
        @DisplayName("that nobody knows what the other one has, where that is not recorded")
        void namesOneOfTheGoProgram() throws IOException {
            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text())
                    .contains("First find out whose rows they are", "Leave this one alone")
                    .contains("it is not recorded which streams these instances in /dst/state have: other");
            advisesNoDestruction();
        }

        @Test
        @DisplayName("nothing of the other one that has a stream of this name at another source")
        void leavesAnotherSourceAlone() throws IOException {
            record("/src/goods/feed", "c", "/dst/goods_of_another_source", created() - 1);

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text()).doesNotContain("instance other").contains("DELETE FROM", "DROP CONSUMER");
        }

        @Test
        @DisplayName("nothing of the other one whose stream was taken out")
        void forgetsRemovedStreams() throws IOException {
            record("/src/goods/feed", "c", "/dst/goods", created());
            terminal.write("UPDATE state_streams SET state = 'removed' WHERE id = 'other'");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text()).doesNotContain("instance other").contains("DELETE FROM");
        }
    }

    @Nested
    @DisplayName("though a call is not answered at once")
    class NotAtOnce {
        private static final String QUICK = "replicator: {call_timeout: 500ms, call_tries: 3}\n";

        @Test
        @DisplayName("all of it, when the next one is")
        void triesAgain() throws IOException {
            terminal.createState();
            ydb.faults()
                    .add(FaultRule.of(Fault.COMMIT_UNANSWERED)
                            .inDatabase("/dst")
                            .times(2));
            ydb.faults()
                    .add(FaultRule.of(Fault.OVERLOADED)
                            .inDatabase("/src")
                            .during(Operation.DESCRIBE)
                            .times(2));

            assertThat(check(QUICK)).as(terminal.text()).isEqualTo(ExitCode.CONFIGURATION.code());

            assertThat(terminal.text())
                    .contains("instance shop: stage RUN", "STREAM_NOT_MEMBER")
                    .doesNotContain("No answer came in time");
        }

        @Test
        @DisplayName("in plain words that none came in time, and which setting says so")
        void explains() throws IOException {
            terminal.createState();
            ydb.faults().add(FaultRule.of(Fault.COMMIT_UNANSWERED).inDatabase("/dst"));

            assertThat(check(QUICK)).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text()).contains("its row could not be read");
            assertThat(terminal.lines())
                    .filteredOn(line -> line.startsWith("No answer came in time"))
                    .singleElement()
                    .asString()
                    .contains("500ms (replicator.call_timeout)", "3 times (replicator.call_tries)")
                    .contains("this machine is overloaded", "docs/runbooks/no-answer-in-time.md");
        }
    }

    @Nested
    @DisplayName("that has recorded a stream")
    class ThatHasRecorded {
        @BeforeEach
        void record() {
            terminal.createState();
            streams("goods/feed");
        }

        @Test
        @DisplayName("whose feed is gone, that it is to be brought in anew, and not how to make another feed")
        void sendsToBringInAnew() throws IOException {
            source.scheme("ALTER TABLE goods DROP CHANGEFEED feed");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text())
                    .contains("ERROR /src/goods/feed: the topic does not exist", Anew.PAGE)
                    .contains("members remove -config FILE --topic /src/goods/feed --consumer c")
                    .doesNotContain("ADD CHANGEFEED");
        }

        @Test
        @DisplayName("whose table lacks a column, that adding it does not bring back what it held")
        void warnsOfMakingTheColumnAgain() throws IOException {
            terminal.scheme("ALTER TABLE goods DROP COLUMN v");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text())
                    .contains("ERROR /dst/goods: it has no column v Utf8 of /src/goods")
                    .contains("If this table had the column and lost it, adding it leaves NULL", Anew.PAGE)
                    .contains("members remove -config FILE --topic /src/goods/feed --consumer c")
                    .contains("If the source got it only now, add it: ALTER TABLE `/dst/goods` ADD COLUMN `v` Utf8");
        }

        @Test
        @DisplayName("whose table is gone, that it is not just made again")
        void warnsOfMakingTheTableAgain() throws IOException {
            terminal.scheme("DROP TABLE goods");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());

            assertThat(terminal.text())
                    .contains("ERROR /dst/goods: the destination table does not exist")
                    .contains("docs/runbooks/fatal/DESTINATION_FAILED.md", Anew.PAGE, "Its third step makes the table");
        }
    }

    @Nested
    @DisplayName("that the Go program left")
    class OfTheGoProgram {
        @BeforeEach
        void leave() {
            terminal.scheme(StateTable.createIfAbsent(new TableName("state")));
            terminal.write("UPSERT INTO state (id, step_id, tx_id, state, stage) VALUES"
                    + " ('shop', 1764500000000ul, 7ul, 'OK', 'RUN')");
            terminal.write("UPSERT INTO goods (k, v) VALUES (1ul, 'copied')");
        }

        @Test
        @DisplayName("that a table of the copy is empty, as one is that was dropped and made again")
        void warnsOfATableWithoutRows() throws IOException {
            terminal.write("DELETE FROM goods WHERE k = 1ul");

            check("");

            assertThat(terminal.text())
                    .contains("WARNING /dst/goods: it has no rows, though a checkpoint stands for it")
                    .contains("docs/runbooks/bring-a-stream-in-anew.md");
        }

        @Test
        @DisplayName("its stage and checkpoint, and that a stream which it never read is no member")
        void tellsWhatItLeft() throws IOException {
            assertThat(check("")).isEqualTo(ExitCode.CONFIGURATION.code());
            assertThat(terminal.lines())
                    .startsWith(
                            "instance shop: stage RUN, state OK, checkpoint [1764500000000,7] (2025-11-30T10:53:20Z)",
                            "members: none recorded; a start records those that it takes from the file",
                            "lock: free");
            assertThat(terminal.text())
                    .contains("a start would end with code 2 (docs/runbooks/fatal/STREAM_NOT_MEMBER.md)")
                    .contains("its topic was created above the checkpoint");
        }

        @Test
        @DisplayName("why a row cannot be begun with")
        void tellsWhatIsMissing() throws IOException {
            set("stage = NULL");

            assertThat(check("")).isEqualTo(ExitCode.FATAL_STATE.code());
            assertThat(terminal.text()).contains("STATE_INVALID", "stage is NULL");
        }
    }

    @Nested
    @DisplayName("that ran")
    class ThatRan {
        @BeforeEach
        void leave() {
            terminal.createState();
            terminal.write("UPSERT INTO state_instances (id, commit_seq, vouched_step, vouched_tx, m_step, m_tx, phase)"
                    + " VALUES ('shop', 1ul, 10ul, 0ul, 0ul, 0ul, 'NONE')");
        }

        private List<String> problems() {
            return terminal.lines().filter(line -> line.startsWith("  ")).toList();
        }

        @Test
        @DisplayName("the problem that FATAL_ERROR is about")
        void tellsAFatalError() throws IOException {
            set("state = 'FATAL_ERROR', last_msg = 'LATE_RECORD: too late'");

            assertThat(check("")).isEqualTo(ExitCode.FATAL_STATE.code());
            assertThat(terminal.text())
                    .contains("state FATAL_ERROR", "code 5 (docs/runbooks/fatal/LATE_RECORD.md)")
                    .containsOnlyOnce("LATE_RECORD: too late");
            assertThat(problems()).singleElement().asString().contains("STATE_INVALID", "LATE_RECORD: too late");
        }

        @Test
        @DisplayName("the problem that FATAL_ERROR is about, with the code that a database ends it with before")
        void tellsOneCode() throws IOException {
            set("state = 'FATAL_ERROR', last_msg = 'LATE_RECORD: too late'");
            terminal.scheme("DROP TABLE goods");

            assertThat(check("")).isEqualTo(ExitCode.PREFLIGHT.code());
            assertThat(terminal.text())
                    .contains("the destination table does not exist", "STATE_INVALID", "LATE_RECORD: too late")
                    .contains("code 4")
                    .doesNotContain("code 5");
        }

        @Test
        @DisplayName("every recorded stream that the file leaves out, and every one that is no member")
        void comparesMembers() throws IOException {
            streams("one/feed", "two/feed");

            assertThat(check("")).isEqualTo(ExitCode.CONFIGURATION.code());
            assertThat(terminal.text()).contains("members: 2 recorded, 1 in the file");
            assertThat(problems())
                    .satisfiesExactlyInAnyOrder(
                            one -> assertThat(one).contains("STREAM_MISSING", "/src/one/feed"),
                            two -> assertThat(two).contains("STREAM_MISSING", "/src/two/feed"),
                            three -> assertThat(three).contains("STREAM_NOT_MEMBER", "/src/goods/feed"));
        }

        @Test
        @DisplayName("who holds the lock, which a standby waits for and a single instance does not")
        void tellsWhoHoldsTheLock() throws IOException {
            set("lock_deadline = CurrentUtcTimestamp() + Interval('PT1H'), stage = 'INITIAL_SCAN'");

            assertThat(check(MANY)).isZero();
            assertThat(terminal.text()).contains("lock: held by lock_other", "a start stands by");

            assertThat(check("")).isEqualTo(ExitCode.LOCK.code());
            assertThat(terminal.text())
                    .contains("lock: held by lock_other", "ends with code 6", "after 55 s", "multiple_instances_mode");
            assertThat(terminal.lines()).last().isEqualTo("nothing else wrong");
        }

        @Test
        @DisplayName("that scans for the first time, though its row is there, what its scan will not take away")
        void warnsOfRowsOfAStreamThatJoins() throws IOException {
            terminal.write("UPSERT INTO goods (k, v) VALUES (9ul, 'stray')");
            set("step_id = 0ul, stage = 'INITIAL_SCAN'");

            assertThat(check("")).isZero();
            assertThat(terminal.text()).contains("WARNING /dst/goods: it has rows");

            streams("goods/feed");
            check("");
            assertThat(terminal.text()).doesNotContain("it has rows");
        }

        @Test
        @DisplayName("whose checkpoint was moved back, that what the consumers have passed is not read again")
        void warnsOfACheckpointThatWasMovedBack() throws IOException {
            set("step_id = 9ul");

            check("");
            assertThat(terminal.text())
                    .contains("WARNING instance shop: its checkpoint [9,0] is lower than [10,0], which our last")
                    .contains("docs/runbooks/fatal/STATE_LOST.md");

            set("step_id = 11ul");
            check("");
            assertThat(terminal.text()).doesNotContain("is lower than");
        }

        @Test
        @DisplayName("and was reset to scan again, that a member's table is empty, which the scan does not fill")
        void warnsOfAnEmptyTableOfAMember() throws IOException {
            streams("goods/feed");
            set("step_id = 0ul, stage = 'INITIAL_SCAN'");

            check("");
            assertThat(terminal.text())
                    .contains("WARNING /dst/goods: it has no rows, though a checkpoint stands for it", "is lower than");
        }

        @Test
        @DisplayName("and changes nothing by it")
        void changesNothing() throws IOException {
            String before = terminal.read("SELECT * FROM state");

            check("");

            assertThat(terminal.read("SELECT * FROM state")).isEqualTo(before);
            assertThat(terminal.read("SELECT * FROM state_streams")).isEmpty();
        }
    }

    @Test
    @DisplayName("nothing wrong of one that runs and commits offsets while it is looked at")
    void tellsNothingWrongOfOneThatGoesOn() throws IOException {
        terminal.createState();
        terminal.write("UPSERT INTO state_instances (id, commit_seq, vouched_step, vouched_tx, m_step, m_tx, phase)"
                + " VALUES ('shop', 1ul, 10ul, 0ul, 0ul, 0ul, 'NONE')");
        long created = ydb.topics("/src").get("/src/goods/feed").created().step();
        terminal.write("UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at, offsets)"
                + " VALUES ('shop', '/src/goods/feed', 'c', '/dst/goods', 'member', " + created + "ul, '0:0')");
        terminal.write("UPSERT INTO goods (k, v) VALUES (1ul, 'copied')");
        source.write("UPSERT INTO goods (k, v) VALUES (1ul, 'copied')");
        Path file = terminal.configurationWithSource(folder, "");
        Reading.Accepted accepted = (Reading.Accepted) ConfigReader.read(
                Files.readString(file), false, Runtime.getRuntime().maxMemory());
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.startsWith("instance shop")) { // its row was read, and now it goes on
                    terminal.write("UPDATE state_streams SET offsets = '0:1' WHERE id = 'shop'");
                    ydb.topics("/src").get("/src/goods/feed").setCommitted("c", 0, 1);
                }
            }
        };

        ExitCode code = new StartCheck(accepted.config(), file.toString(), out).run(Optional.empty());

        assertThat(code).as("%s", printed).isEqualTo(ExitCode.REQUESTED);
        assertThat(ydb.topics("/src").get("/src/goods/feed").committed("c", 0)).isEqualTo(1);
        assertThat(printed.toString()).contains("consumers: all there").contains("nothing wrong");
    }

    @Nested
    @DisplayName("whose row of a stream says when its table was created")
    class WithATable {
        private static final String CREATED = "SELECT table_created_step, table_created_tx FROM state_streams";

        @BeforeEach
        void leave() {
            terminal.createState();
            streams("goods/feed");
            long created =
                    ydb.database("/dst").describePath("/dst/goods").created().step();
            long tx = ydb.database("/dst").describePath("/dst/goods").created().txId();
            terminal.write("UPDATE state_streams SET table_created_step = " + created + "ul, table_created_tx = " + tx
                    + "ul WHERE id = 'shop'");
            terminal.write("UPSERT INTO goods (k, v) VALUES (1ul, 'copied')");
        }

        @Test
        @DisplayName("nothing of it while the table is that one")
        void saysNothing() throws IOException {
            check("");

            assertThat(terminal.text()).doesNotContain("WARNING");
        }

        @Test
        @DisplayName("that it was made anew, though it has rows again, until a person has said that it is whole")
        void warnsOfATableThatWasMadeAnew() throws IOException {
            terminal.scheme("DROP TABLE goods");
            terminal.scheme("CREATE TABLE goods (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
            terminal.write("UPSERT INTO goods (k, v) VALUES (2ul, 'written since')");

            check("");
            assertThat(terminal.text())
                    .contains("WARNING /dst/goods: it was made anew since stream /src/goods/feed was recorded with it")
                    .contains("docs/runbooks/bring-a-stream-in-anew.md");

            terminal.write(terminal.text().replaceAll("(?s).*(UPDATE `[^\n]*).*", "$1"));
            assertThat(terminal.read(CREATED)).isEqualTo("- -");
            check("");
            assertThat(terminal.text()).doesNotContain("WARNING");
        }

        @Test
        @DisplayName("that it was made anew, once, when it has no rows either")
        void warnsOnce() throws IOException {
            terminal.scheme("DROP TABLE goods");
            terminal.scheme("CREATE TABLE goods (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");

            check("");
            assertThat(terminal.text()).contains("it was made anew").doesNotContain("it has no rows");
        }
    }

    @Test
    @DisplayName("that a topic is another one of the same name")
    void tellsARecreatedTopic() throws IOException {
        terminal.createState();
        streams("goods/feed");

        assertThat(check("")).isEqualTo(ExitCode.FATAL_STATE.code());
        assertThat(terminal.text()).contains("docs/runbooks/fatal/TOPIC_RECREATED.md", "TOPIC_RECREATED: topic");
    }
}
