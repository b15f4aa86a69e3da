package io.aardappel.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The name of the state table")
class TableNameTest {
    @ParameterizedTest
    @CsvSource({
        "repl_state, repl_state, /Root/shop/repl_state",
        "dir/repl_state, dir/repl_state, /Root/shop/dir/repl_state",
        "/Root/other/s, /Root/other/s, /Root/other/s",
        "`/Root/other/s`, /Root/other/s, /Root/other/s",
        "`repl-state`, repl-state, /Root/shop/repl-state",
    })
    void isReadBareAbsoluteAndBackQuoted(String text, String path, String absolute) {
        TableName name = TableName.parse(text);

        assertThat(name.path()).isEqualTo(path);
        assertThat(name.quoted()).isEqualTo("`" + path + "`");
        assertThat(name.absolutePath("/Root/shop")).isEqualTo(absolute);
        assertThat(name.absolutePath("/Root/shop/")).isEqualTo(absolute);
    }

    @Test
    void givesOurTablesTheirNames() {
        TableName state = TableName.parse("`/Root/shop/repl_state`");

        assertThat(InstanceTable.beside(state).path()).isEqualTo("/Root/shop/repl_state_instances");
        assertThat(StreamTable.beside(state).path()).isEqualTo("/Root/shop/repl_state_streams");
        assertThat(DecisionTable.beside(state).path()).isEqualTo("/Root/shop/repl_state_decisions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "/", "``", "a/", "a//b", "a`; DROP TABLE b", "a\nb", "`a", "a b", "a\\b"})
    void isRefusedWhenItIsNoPath(String text) {
        assertThatThrownBy(() -> TableName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void createsTheStateTableWithTheColumnsOfTheGoProgram() {
        assertThat(StateTable.createIfAbsent(TableName.parse("s"))).isEqualTo("""
                CREATE TABLE IF NOT EXISTS `s` (
                  id Utf8,
                  step_id Uint64,
                  tx_id Uint64,
                  state Utf8,
                  stage Utf8,
                  last_msg Utf8,
                  lock_owner Utf8,
                  lock_deadline Timestamp,
                  PRIMARY KEY (id)
                );""");
    }
}
