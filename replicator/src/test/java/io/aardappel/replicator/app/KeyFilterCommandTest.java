package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator key-filter")
class KeyFilterCommandTest {
    private static final String FILTER = "key_filter: {table_path: blocked}\n";

    private final YdbEmulator ydb;
    private final Terminal terminal;

    @TempDir
    private Path folder;

    KeyFilterCommandTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.terminal = new Terminal(ydb.port());
    }

    @BeforeEach
    void makeTheTables() {
        terminal.scheme("CREATE TABLE goods (name Utf8 NOT NULL, n Uint64, v Utf8, PRIMARY KEY (name, n))");
        terminal.scheme("CREATE TABLE goods2 (k Uint64, PRIMARY KEY (k))");
        terminal.scheme("CREATE TABLE blocked (instance_id Utf8, key String, PRIMARY KEY (instance_id, key))");
    }

    private int run(String further, String... arguments) throws IOException {
        String file = terminal.configuration(folder, further).toString();
        return terminal.call(
                Stream.concat(Stream.of("-config", file), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    @DisplayName("tries again what is not answered in time")
    void triesAgain() throws IOException {
        String quick = FILTER + "replicator: {call_timeout: 500ms, call_tries: 3}\n";
        ydb.faults()
                .add(FaultRule.of(Fault.COMMIT_UNANSWERED).inDatabase("/dst").times(1));

        assertThat(run(quick, "key-filter", "add", "--table", "/dst/goods", "--key", "[\"tea\",7]"))
                .isZero();

        assertThat(terminal.lines()).containsExactly("/dst/goods  \"tea\"7");
    }

    @Test
    @DisplayName("adds keys as the feed writes them, lists and removes them")
    void addsListsAndRemoves() throws IOException {
        assertThat(run(
                        FILTER,
                        "key-filter",
                        "add",
                        "--table",
                        "/dst/goods",
                        "--key",
                        "[\"tea\", 7]",
                        "--key",
                        "[\"x\",1]"))
                .isZero();
        assertThat(run(FILTER, "key-filter", "list")).isZero();
        assertThat(terminal.lines()).containsExactly("/dst/goods  \"tea\"7", "/dst/goods  \"x\"1");

        assertThat(run(
                        FILTER,
                        "key-filter",
                        "remove",
                        "--table",
                        "/dst/goods",
                        "--key",
                        "[\"tea\",7]",
                        "--key",
                        "[\"tea\",8]"))
                .isZero();
        assertThat(terminal.lines())
                .containsExactly("removed: /dst/goods  \"tea\"7", "was not blocked: /dst/goods  \"tea\"8");
        run(FILTER, "key-filter", "list");
        assertThat(terminal.lines()).containsExactly("/dst/goods  \"x\"1");
    }

    @Test
    @DisplayName("lists a key with its own table, not with one whose name begins alike")
    void listsTheRightTable() throws IOException {
        String two = "  - {src_topic: more/feed, consumer: c, dst_table: /dst/goods2}\n" + FILTER;

        run(two, "key-filter", "add", "--table", "/dst/goods2", "--key", "[7]");
        run(two, "key-filter", "list");

        assertThat(terminal.lines()).containsExactly("/dst/goods2  7");
    }

    @Test
    @DisplayName("refuses a table that no stream has, and names those there are")
    void refusesAnotherTable() throws IOException {
        assertThat(run(FILTER, "key-filter", "add", "--table", "goods", "--key", "[1]"))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("no stream has dst_table goods", "/dst/goods");
    }

    @Test
    @DisplayName("refuses what is no JSON array")
    void refusesWhatIsNoArray() throws IOException {
        assertThat(run(FILTER, "key-filter", "add", "--table", "/dst/goods", "--key", "tea"))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("tea is no JSON array");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[\"tea\"]|does not have the 2 key columns",
                "[\"tea\",7,1]|does not have the 2 key columns",
                "[\"tea\",\"7\"]|`n`: a JSON string is no value of Uint64",
                "[\"tea\",-7]|`n`: a JSON integer is outside the range of Uint64",
                "[7,7]|`name`: a JSON integer is no value of Utf8",
                "[null,7]|`name`: NULL came"
            })
    @DisplayName("refuses what can be no key of the table, and says what its keys are")
    void refusesWhatIsNoKey(String key, String why) throws IOException {
        assertThat(run(FILTER, "key-filter", "add", "--table", "/dst/goods", "--key", "[\"tea\",7]", "--key", key))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("nothing was changed", key, "(name Utf8 NOT NULL, n Uint64)", why);

        run(FILTER, "key-filter", "list");
        assertThat(terminal.text()).contains("no blocked keys");
    }

    @Test
    @DisplayName("takes NULL where the key may be NULL")
    void takesNull() throws IOException {
        assertThat(run(FILTER, "key-filter", "add", "--table", "/dst/goods", "--key", "[\"tea\",null]"))
                .isZero();
    }

    @Test
    @DisplayName("removes a key whatever the table is now")
    void removesAnyKey() throws IOException {
        terminal.scheme("DROP TABLE goods");
        terminal.scheme("CREATE TABLE goods (k Uint64, PRIMARY KEY (k))");
        run(FILTER, "key-filter", "add", "--table", "/dst/goods", "--key", "[7]");
        terminal.scheme("DROP TABLE goods");

        assertThat(run(FILTER, "key-filter", "remove", "--table", "/dst/goods", "--key", "[7]"))
                .isZero();

        run(FILTER, "key-filter", "list");
        assertThat(terminal.text()).contains("no blocked keys");
    }

    @Test
    @DisplayName("adds nothing while the destination table is not there")
    void addsNothingWithoutTheTable() throws IOException {
        terminal.scheme("DROP TABLE goods");

        assertThat(run(FILTER, "key-filter", "add", "--table", "/dst/goods", "--key", "[\"tea\",7]"))
                .isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(terminal.text()).contains("nothing was changed", "/dst/goods");
    }

    @Test
    @DisplayName("says that the file names no table of blocked keys")
    void saysThatThereIsNone() throws IOException {
        assertThat(run("", "key-filter", "list")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(terminal.text()).contains("key_filter.table_path");
    }

    @Test
    @DisplayName("says which table cannot be read")
    void saysWhichTable() throws IOException {
        assertThat(run("key_filter: {table_path: absent}\n", "key-filter", "list"))
                .isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(terminal.text()).contains("/dst/absent");
    }
}
