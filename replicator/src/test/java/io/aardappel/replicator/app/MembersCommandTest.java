package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator members")
class MembersCommandTest {
    private final YdbEmulator ydb;
    private final Terminal terminal;

    @TempDir
    private Path folder;

    MembersCommandTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.terminal = new Terminal(ydb.port());
    }

    @BeforeEach
    void recordTwoStreams() {
        terminal.createState();
        for (String name : new String[] {"goods", "orders"}) {
            terminal.write(
                    "UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at) VALUES ('shop', '/src/"
                            + name + "/feed', 'c', '/dst/" + name + "', 'member', 5ul)");
        }
    }

    private String file() throws IOException {
        return terminal.configuration(folder, "").toString();
    }

    @Test
    @DisplayName("list prints what is recorded, though the source is away and whoever holds the lock")
    void lists() throws IOException {
        assertThat(terminal.call("members", "list", "-config", file())).isZero();
        assertThat(terminal.lines())
                .containsExactly(
                        "STATE   TOPIC             CONSUMER  TABLE",
                        "member  /src/goods/feed   c         /dst/goods",
                        "member  /src/orders/feed  c         /dst/orders");
    }

    @Test
    @DisplayName("takes -config before or behind its name")
    void takesTheFileAnywhere() throws IOException {
        assertThat(terminal.call("-config", file(), "members", "list")).isZero();
        assertThat(terminal.call("members", "-config", file(), "list")).isZero();
    }

    @Test
    @DisplayName("remove takes out one stream and leaves the other")
    void removes() throws IOException {
        assertThat(terminal.call("members", "remove", "-config", file(), "--topic", "orders/feed", "--consumer", "c"))
                .isZero();
        assertThat(terminal.text()).contains("removed: stream /src/orders/feed");

        terminal.call("members", "list", "-config", file());
        assertThat(terminal.lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .containsExactly("member /src/goods/feed c /dst/goods", "removed /src/orders/feed c /dst/orders");
    }

    @Test
    @DisplayName(
            "remove forgets what was decided about single records of the stream, not about positions that others share")
    void keepsDecisionsAboutWholePositions() throws IOException {
        for (String row : new String[] {"1ul, 'skip'", "2ul, 'apply'", "3ul, 'skip_all'", "4ul, 'apply_all'"}) {
            terminal.write(
                    "UPSERT INTO state_decisions (id, topic, consumer, partition_id, topic_offset, action, decided_by,"
                            + " step_id, tx_id) VALUES ('shop', '/src/orders/feed', 'c', 0ul, " + row
                            + ", 'strategy', 7ul, 1ul)");
        }

        terminal.write(
                "UPSERT INTO state_decisions (id, topic, consumer, partition_id, topic_offset, action, decided_by,"
                        + " step_id, tx_id) VALUES ('shop', '', '', 8ul, 9ul, 'skip_all', 'strategy', 8ul, 9ul)");

        assertThat(terminal.call("members", "remove", "-config", file(), "--topic", "orders/feed", "--consumer", "c"))
                .isZero();

        assertThat(terminal.read("SELECT topic_offset, action FROM state_decisions ORDER BY topic_offset"))
                .as("the last is in the form of this version, the others in that of earlier ones")
                .isEqualTo("3 skip_all\n4 apply_all\n9 skip_all");
    }

    @Test
    @DisplayName("remove changes nothing while another holds the lock, and says who")
    void waitsForTheLock() throws IOException {
        terminal.write("UPDATE state SET lock_deadline = CurrentUtcTimestamp() + Interval('PT1H') WHERE id = 'shop'");

        assertThat(terminal.call(
                        "members",
                        "remove",
                        "-config",
                        file(),
                        "--topic",
                        "orders/feed",
                        "--consumer",
                        "c",
                        "--wait",
                        "0"))
                .isEqualTo(ExitCode.LOCK.code());
        assertThat(terminal.text()).contains("nothing was changed", "lock_other", "stop every replicator");
    }

    @Test
    @DisplayName("remove names the members there are when that one is none")
    void namesMembers() throws IOException {
        assertThat(terminal.call("members", "remove", "-config", file(), "--topic", "x/feed", "--consumer", "c"))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("no member has topic /src/x/feed", "/src/goods/feed", "/src/orders/feed");
    }

    @Test
    @DisplayName("changes nothing where the rows cannot be read, and says so")
    void saysThatNothingCanBeRead() throws IOException {
        terminal.scheme("DROP TABLE state_streams");

        assertThat(terminal.call("members", "list", "-config", file())).isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(terminal.call("members", "remove", "-config", file(), "--topic", "orders/feed", "--consumer", "c"))
                .isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(terminal.text()).contains("nothing was changed", "rows could not be read");
    }

    @Test
    @DisplayName("tries again what is not answered in time")
    void triesAgain() throws IOException {
        ydb.faults()
                .add(FaultRule.of(Fault.COMMIT_UNANSWERED).inDatabase("/dst").times(1));
        assertThat(terminal.call("members", "list", "-config", quick())).isZero();
        assertThat(terminal.text()).contains("/src/orders/feed").doesNotContain("No answer came in time");

        ydb.faults()
                .add(FaultRule.of(Fault.COMMIT_UNANSWERED).inDatabase("/dst").times(1));
        assertThat(terminal.call("members", "remove", "-config", quick(), "--topic", "orders/feed", "--consumer", "c"))
                .isZero();
        assertThat(terminal.text()).contains("removed: stream /src/orders/feed");
    }

    @Test
    @DisplayName("says in plain words that no answer came in time")
    void explains() throws IOException {
        ydb.faults().add(FaultRule.of(Fault.COMMIT_UNANSWERED).inDatabase("/dst"));

        assertThat(terminal.call("members", "list", "-config", quick())).isEqualTo(ExitCode.PREFLIGHT.code());

        assertThat(terminal.lines())
                .last()
                .asString()
                .startsWith("No answer came in time: a call may take 500ms (replicator.call_timeout)")
                .contains("ClientCall started after CallOptions deadline");
    }

    private String quick() throws IOException {
        return terminal.configuration(folder, "replicator: {call_timeout: 500ms, call_tries: 3}\n")
                .toString();
    }

    @Test
    @DisplayName("alone asks for what to do")
    void alone() {
        assertThat(terminal.call("members")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("list", "remove");
    }
}
