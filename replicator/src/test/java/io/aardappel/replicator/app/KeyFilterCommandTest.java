package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator key-filter")
class KeyFilterCommandTest {
    private static final String FILTER = "key_filter: {table_path: blocked}\n";

    private final Terminal terminal;

    @TempDir
    private Path folder;

    KeyFilterCommandTest(YdbEmulator ydb) {
        this.terminal = new Terminal(ydb.port());
    }

    @BeforeEach
    void makeTheTable() {
        terminal.scheme("CREATE TABLE blocked (instance_id Utf8, key String, PRIMARY KEY (instance_id, key))");
    }

    private int run(String further, String... arguments) throws IOException {
        String file = terminal.configuration(folder, further).toString();
        return terminal.call(
                Stream.concat(Stream.of("-config", file), Stream.of(arguments)).toArray(String[]::new));
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

        assertThat(run(FILTER, "key-filter", "remove", "--table", "/dst/goods", "--key", "[\"tea\",7]"))
                .isZero();
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
