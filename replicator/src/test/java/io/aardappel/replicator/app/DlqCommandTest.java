package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.problems.TopicDeadLetters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tech.ydb.core.grpc.GrpcTransport;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator dlq")
class DlqCommandTest {
    private static final String QUEUE = "dead_letter_queue: {path: dead}\n";
    private static final String COLUMNS = " (k Uint64 NOT NULL, v Utf8, n Int64, PRIMARY KEY (k))";
    /** Of a record at position (5, 1), offset 7 of partition 0. */
    private static final String UPDATE = letter(7, 1, "update", "{\"v\":\"tea\"}");

    private final Terminal terminal;
    private final Terminal source;

    @TempDir
    private Path folder;

    DlqCommandTest(YdbEmulator ydb) {
        this.terminal = new Terminal(ydb.port());
        this.source = new Terminal(ydb.port(), "/src");
    }

    private static String letter(long offset, int key, String operation, String columns) {
        return """
                {"instance_id":"shop","reason":"UNFIT_RECORD","topic":"goods/feed","consumer":"c","partition":0,"offset":%d,\
                "table":"/dst/goods","key":[%d],"ts":[5,1],"operation":"%s","columns":%s,"problem":"it did not fit"}""".formatted(offset, key, operation, columns);
    }

    @BeforeEach
    void recordWhatWasLeftOut() {
        terminal.createState();
        terminal.scheme("CREATE TABLE goods" + COLUMNS);
        source.scheme("CREATE TABLE goods" + COLUMNS);
        terminal.scheme("CREATE TOPIC dead");
        decided(7, "skip");
        source.write("UPSERT INTO goods (k, v, n) VALUES (1ul, 'tea', 3l)");
        terminal.write("UPSERT INTO goods (k, v, n) VALUES (1ul, 'old', 3l)");
    }

    private void decided(long offset, String action) {
        terminal.write(
                "UPSERT INTO state_decisions (id, topic, consumer, partition_id, topic_offset, action, decided_by,"
                        + " step_id, tx_id) VALUES ('shop', '/src/goods/feed', 'c', 0ul, " + offset + "ul, '" + action
                        + "', 'strategy', 5ul, 1ul)");
    }

    /** About all records of position (5, 1). */
    private void decidedAboutAll(String action) {
        terminal.write(
                "UPSERT INTO state_decisions (id, topic, consumer, partition_id, topic_offset, action, decided_by, step_id,"
                        + " tx_id, reason) VALUES ('shop', '', '', 5ul, 1ul, '" + action
                        + "', 'command', 5ul, 1ul, 'it was too large')");
    }

    private void letters(String... messages) {
        try (GrpcTransport transport = terminal.open();
                TopicDeadLetters topic = new TopicDeadLetters(transport, "/dst/dead", Duration.ofSeconds(10))) {
            assertThat(topic.write(Stream.of(messages)
                            .map(message -> message.getBytes(StandardCharsets.UTF_8))
                            .toList()))
                    .isEmpty();
        }
    }

    private int call(String... arguments) throws IOException {
        return callWith("", arguments);
    }

    private int callWith(String furtherLines, String... arguments) throws IOException {
        String file =
                terminal.configurationWithSource(folder, QUEUE + furtherLines).toString();
        return terminal.call(Stream.concat(Stream.of("-config", file, "dlq"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    private String goods(int key) {
        return terminal.read("SELECT v, n FROM goods WHERE k = " + key + "ul");
    }

    @Nested
    @DisplayName("list")
    class Lists {
        @Test
        @DisplayName("prints each letter with where it was read, its key and what became of it")
        void printsEach() throws IOException {
            letters(UPDATE, letter(8, 2, "erase", "{}"));

            assertThat(call("list")).isZero();
            assertThat(terminal.lines().map(line -> line.replaceAll(" +", " ").replaceAll("\\d{4}-\\S+Z", "TIME")))
                    .containsExactly(
                            "LETTER WRITTEN STATE REASON STREAM PARTITION OFFSET POSITION KEY",
                            "0:0 TIME left out UNFIT_RECORD goods/feed 0 7 [5,1] [1]",
                            "0:1 TIME undecided UNFIT_RECORD goods/feed 0 8 [5,1] [2]");
        }

        @Test
        @DisplayName("says what became of each letter of a position that was decided about as a whole")
        void saysWhatBecameOfAPosition() throws IOException {
            terminal.write("DELETE FROM state_decisions");
            decidedAboutAll("skip_all");
            letters(UPDATE, letter(12, 1, "update", "{\"v\":\"tea\"}"));

            call("list");
            assertThat(terminal.lines().skip(1))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("left out"));

            decidedAboutAll("apply_all");
            call("list");
            assertThat(terminal.lines().skip(1))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("applied"));
        }

        @Test
        @DisplayName("says that reading has passed a letter's record of which nothing was decided")
        void saysWhatWasPassed() throws IOException {
            terminal.write(
                    "UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at, offsets)"
                            + " VALUES ('shop', '/src/goods/feed', 'c', '/dst/goods', 'member', 5ul, '0:9')");
            letters(letter(8, 1, "erase", "{}"), letter(9, 1, "erase", "{}"));

            call("list");
            assertThat(terminal.lines().skip(1))
                    .satisfiesExactly(
                            one -> assertThat(one).contains("passed"),
                            two -> assertThat(two).contains("undecided"));
        }

        @Test
        @DisplayName("says of a letter in the Go program's format that it has no values")
        void saysThatThereAreNoValues() throws IOException {
            letters("Unexpected timestamp in stream, last hb ts:[9,0], got tx"
                    + " {\"topic\":\"goods/feed\",\"key\":[1],\"ts\":[5,1]}");

            assertThat(call("list")).isZero();
            assertThat(terminal.lines().skip(1))
                    .singleElement()
                    .asString()
                    .contains("no values", "LATE_RECORD", "goods/feed", "[5,1]", "[1]");
        }

        @Test
        @DisplayName("passes over nothing that it does not know")
        void printsStrangers() throws IOException {
            letters("hello", UPDATE.replace("\"shop\"", "\"other\""), UPDATE.replace("goods/feed", "gone/feed"));

            assertThat(call("list")).isZero();
            assertThat(terminal.lines().skip(1))
                    .satisfiesExactly(
                            one -> assertThat(one).contains("no letter"),
                            two -> assertThat(two).contains("other instance"),
                            three -> assertThat(three).contains("no stream"));
        }

        @Test
        @DisplayName("prints the newest alone when there are more than asked for")
        void printsTheNewest() throws IOException {
            letters("one", "two", "three");

            assertThat(call("list", "--last", "2")).isZero();
            assertThat(terminal.lines().skip(1))
                    .satisfiesExactly(
                            one -> assertThat(one).startsWith("0:1 "),
                            two -> assertThat(two).startsWith("0:2 "),
                            rest -> assertThat(rest).startsWith("letters before these: 1"));
        }

        @Test
        @DisplayName("prints the head alone when there are none")
        void printsTheHead() throws IOException {
            assertThat(call("list")).isZero();
            assertThat(terminal.lines()).hasSize(1);
        }

        @Test
        @DisplayName("names the topic that is not there")
        void namesTheTopic() throws IOException {
            terminal.scheme("DROP TOPIC dead");

            assertThat(call("list")).isEqualTo(ExitCode.PREFLIGHT.code());
            assertThat(terminal.text()).contains("/dst/dead");
        }
    }

    @Nested
    @DisplayName("replay")
    class Replay {
        @Test
        @DisplayName("writes the row, the decision and who did it, and moves no checkpoint")
        void writesTheRow() throws IOException {
            letters(UPDATE);

            assertThat(call("replay", "--letter", "0:0", "--by", "anna"))
                    .as(terminal.text())
                    .isZero();

            assertThat(terminal.text())
                    .contains(
                            "0:0 replayed: update of /dst/goods, key [1], of stream goods/feed, partition 0, offset 7");
            assertThat(goods(1)).isEqualTo("tea 3");
            assertThat(terminal.read("SELECT letter, who, operation, dst_table, overruled FROM state_replays"))
                    .isEqualTo("0:0 anna update /dst/goods ");
            assertThat(terminal.read("SELECT action, decided_by FROM state_decisions"))
                    .isEqualTo("apply replay");
            assertThat(terminal.read("SELECT step_id, stage FROM state")).isEqualTo("10 RUN");
            call("list");
            assertThat(terminal.text()).contains("replayed");
        }

        @Test
        @DisplayName("refuses a letter of a stream that was taken out, forced or not")
        void refusesAStreamThatWasTakenOut() throws IOException {
            letters(UPDATE);
            terminal.write("UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at)"
                    + " VALUES ('shop', '/src/goods/feed', 'c', '/dst/goods', 'removed', 5ul)");

            for (String force : List.of("--letter=0:0", "--force")) {
                assertThat(call("replay", "--letter", "0:0", force)).isEqualTo(ExitCode.REFUSED.code());
                assertThat(terminal.text())
                        .contains("0:0 not replayed: stream goods/feed with consumer c was taken out of the instance")
                        .contains("docs/runbooks/bring-a-stream-in-anew.md")
                        .doesNotContain("--force overrules");
            }
            assertThat(goods(1)).isEqualTo("old 3");
        }

        @Test
        @DisplayName("does so only once, though the letter may be there twice")
        void onlyOnce() throws IOException {
            letters(UPDATE, UPDATE);
            call("replay", "--letter", "0:0", "--by", "anna");

            assertThat(call("replay", "--letter", "0:1")).isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text()).contains("0:1 not replayed: it was replayed before", "by anna", "--force");
        }

        @Test
        @DisplayName("refuses a row that has another value at the source now, unless it is forced")
        void refusesAChangedRow() throws IOException {
            letters(UPDATE);
            source.write("UPSERT INTO goods (k, v) VALUES (1ul, 'newer')");

            assertThat(call("replay", "--letter", "0:0")).isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text())
                    .contains(
                            "0:0 not replayed: the row was changed since: column v has another value in the source now");
            assertThat(goods(1)).isEqualTo("old 3");

            assertThat(call("replay", "--letter", "0:0", "--force")).isZero();
            assertThat(goods(1)).isEqualTo("tea 3");
            assertThat(terminal.read("SELECT overruled FROM state_replays")).contains("the row was changed since");
        }

        @Test
        @DisplayName("does not mind a change of other columns")
        void mindsNoOtherColumn() throws IOException {
            letters(UPDATE);
            source.write("UPSERT INTO goods (k, n) VALUES (1ul, 4l)");

            assertThat(call("replay", "--letter", "0:0")).isZero();
        }

        @Nested
        @DisplayName("of a blocked key")
        class OfABlockedKey {
            private static final String FILTER = "key_filter: {table_path: blocked}\n";

            @BeforeEach
            void block() throws IOException {
                terminal.scheme("CREATE TABLE blocked (instance_id Utf8, key String, PRIMARY KEY (instance_id, key))");
                String file = terminal.configuration(folder, FILTER).toString();
                terminal.call("-config", file, "key-filter", "add", "--table", "/dst/goods", "--key", "[1]");
                letters(UPDATE);
            }

            @Test
            @DisplayName("is refused, and done by force, which is recorded")
            void isRefused() throws IOException {
                assertThat(callWith(FILTER, "replay", "--letter", "0:0")).isEqualTo(ExitCode.REFUSED.code());
                assertThat(terminal.text()).contains("0:0 not replayed: its key is blocked", "key-filter list");
                assertThat(goods(1)).isEqualTo("old 3");

                assertThat(callWith(FILTER, "replay", "--letter", "0:0", "--force"))
                        .isZero();
                assertThat(terminal.read("SELECT overruled FROM state_replays")).contains("its key is blocked");
            }

            @Test
            @DisplayName("is refused too while the table of blocked keys cannot be read")
            void isRefusedInDoubt() throws IOException {
                terminal.scheme("DROP TABLE blocked");

                assertThat(callWith(FILTER, "replay", "--letter", "0:0")).isEqualTo(ExitCode.REFUSED.code());
                assertThat(terminal.text()).contains("whether its key is blocked is not known", "/dst/blocked");
            }
        }

        @Test
        @DisplayName("refuses what the source no longer has")
        void refusesAnErasedRow() throws IOException {
            letters(UPDATE);
            source.write("DELETE FROM goods WHERE k = 1ul");

            assertThat(call("replay", "--letter", "0:0")).isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text()).contains("the source has no such row any more");
        }

        @Test
        @DisplayName("erases a row that the source does not have")
        void erases() throws IOException {
            letters(letter(7, 1, "erase", "{}"));
            source.write("DELETE FROM goods WHERE k = 1ul");

            assertThat(call("replay", "--letter", "0:0")).isZero();
            assertThat(goods(1)).isEmpty();
        }

        @Test
        @DisplayName("replaces a row whole")
        void replaces() throws IOException {
            letters(letter(7, 1, "replace", "{\"v\":\"tea\"}"));
            source.write("UPDATE goods SET n = NULL WHERE k = 1ul");

            assertThat(call("replay", "--letter", "0:0")).isZero();
            assertThat(goods(1)).isEqualTo("tea -");
        }

        @Test
        @DisplayName("makes no row of some columns")
        void makesNoPartialRow() throws IOException {
            letters(UPDATE);
            terminal.write("DELETE FROM goods WHERE k = 1ul");

            assertThat(call("replay", "--letter", "0:0")).isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text()).contains("the destination has no such row, and the letter carries only some");
        }

        @Test
        @DisplayName("refuses a record that was applied, and one of which nothing is recorded")
        void refusesWhatWasNotLeftOut() throws IOException {
            decided(8, "apply");
            letters(letter(8, 1, "update", "{\"v\":\"tea\"}"), letter(9, 1, "update", "{\"v\":\"tea\"}"));

            assertThat(call("replay", "--letter", "0:0", "--letter", "0:1")).isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text())
                    .contains("0:0 not replayed: its record was applied", "0:1 not replayed: it is not recorded that");
        }

        @Test
        @DisplayName("refuses a position that the checkpoint has not passed")
        void refusesWhatIsStillToCome() throws IOException {
            letters(UPDATE);
            terminal.write("UPDATE state SET step_id = 5ul WHERE id = 'shop'");

            assertThat(call("replay", "--letter", "0:0")).isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text()).contains("has not passed position [5,1]");
        }

        @Test
        @DisplayName(
                "takes each record whose whole position was left out, and records it, so that it is applied when read again")
        void takesThoseOfAPosition() throws IOException {
            terminal.write("DELETE FROM state_decisions");
            decidedAboutAll("skip_all");
            letters(UPDATE, letter(12, 1, "update", "{\"v\":\"tea\"}"));

            assertThat(call("replay", "--all")).isZero();
            assertThat(goods(1)).isEqualTo("tea 3");
            assertThat(terminal.read("SELECT topic, partition_id, topic_offset, action, decided_by FROM state_decisions"
                            + " ORDER BY topic, topic_offset"))
                    .as("the position's decision goes on holding for what was not replayed")
                    .isEqualTo(String.join(
                            "\n",
                            " 5 1 skip_all command",
                            "/src/goods/feed 0 7 apply replay",
                            "/src/goods/feed 0 12 apply replay"));
        }

        @Test
        @DisplayName(
                "takes the record by which an earlier version named the decision about its position, and keeps that")
        void takesTheFirstOfAPosition() throws IOException {
            decided(7, "skip_all");
            letters(letter(12, 1, "update", "{\"v\":\"tea\"}"), UPDATE);

            assertThat(call("replay", "--all")).isZero();
            assertThat(terminal.read("SELECT topic, partition_id, topic_offset, action, decided_by, step_id, tx_id FROM"
                            + " state_decisions ORDER BY topic, topic_offset"))
                    .isEqualTo(String.join(
                            "\n",
                            " 5 1 skip_all strategy 5 1",
                            "/src/goods/feed 0 7 apply replay 5 1",
                            "/src/goods/feed 0 12 apply replay 5 1"));
        }

        @Test
        @DisplayName("takes all that were left out and no other, where all are meant")
        void takesAll() throws IOException {
            decided(8, "apply");
            letters(
                    letter(8, 1, "update", "{\"v\":\"applied\"}"),
                    UPDATE,
                    "hello",
                    letter(9, 1, "update", "{\"v\":\"undecided\"}"));

            assertThat(call("replay", "--all")).isZero();
            assertThat(terminal.lines()).hasSize(2).first().asString().startsWith("0:1 replayed");
            assertThat(terminal.text()).contains("letters replayed: 1, not replayed: 0");
        }

        @Test
        @DisplayName("refuses a letter without values even when it is forced, and does the others")
        void doesTheOthers() throws IOException {
            letters(
                    "Unexpected timestamp in stream, last hb ts:[9,0], got tx"
                            + " {\"topic\":\"goods/feed\",\"key\":[1],\"ts\":[5,1]}",
                    UPDATE);

            assertThat(call("replay", "--force", "--letter", "0:0", "--letter", "0:1"))
                    .isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text())
                    .contains(
                            "0:0 not replayed: its text carries no values", "dead_letter_format: json", "0:1 replayed");
        }

        @Test
        @DisplayName("changes nothing while another holds the lock, and says who")
        void waitsForTheLock() throws IOException {
            letters(UPDATE);
            terminal.write(
                    "UPDATE state SET lock_deadline = CurrentUtcTimestamp() + Interval('PT1H') WHERE id = 'shop'");

            assertThat(call("replay", "--letter", "0:0", "--wait", "0")).isEqualTo(ExitCode.LOCK.code());
            assertThat(terminal.text()).contains("nothing was changed", "lock_other");
            assertThat(goods(1)).isEqualTo("old 3");
        }

        @Test
        @DisplayName("names a letter that is not there")
        void namesAnAbsentLetter() throws IOException {
            letters(UPDATE);

            assertThat(call("replay", "--letter", "0:0", "--letter", "3:1")).isEqualTo(ExitCode.CONFIGURATION.code());
            assertThat(terminal.text()).contains("nothing was changed: there is no letter 3:1");
        }

        @Test
        @DisplayName("asks which letters are meant")
        void asksWhich() throws IOException {
            assertThat(call("replay")).isEqualTo(ExitCode.CONFIGURATION.code());
            assertThat(terminal.text()).contains("--letter", "--all");
        }

        @Test
        @DisplayName("refuses when the source cannot be asked")
        void refusesWithoutASource() throws IOException {
            letters(UPDATE);
            String file = terminal.configuration(folder, QUEUE).toString();

            assertThat(terminal.call("-config", file, "dlq", "replay", "--letter", "0:0"))
                    .isEqualTo(ExitCode.REFUSED.code());
            assertThat(terminal.text()).contains("whether the row was changed since is not known");
        }
    }

    @Test
    @DisplayName("says that the file names no topic of dead letters")
    void saysThatThereIsNone() throws IOException {
        String file = terminal.configuration(folder, "").toString();

        assertThat(terminal.call("-config", file, "dlq", "list")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("dead_letter_queue.path");
    }
}
