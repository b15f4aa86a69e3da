package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A wrong command line")
class WrongCommandLineTest {
    private final StringWriter err = new StringWriter();

    private int call(String line) {
        return Main.commandLine(Seams.SOUND)
                .setOut(new PrintWriter(new StringWriter(), true))
                .setErr(new PrintWriter(err, true))
                .execute(line.split(" "));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "member list,                      replicator knows no member; did you mean members?",
        "keyfilter list,                   replicator knows no keyfilter; did you mean key-filter?",
        "members lst,                      replicator members knows no lst; did you mean list?",
        "dlq reply --all,                  replicator dlq knows no reply; did you mean replay?",
        "--chek,                           replicator knows no --chek; did you mean --check?",
        "-chck -config f.yaml,             replicator knows no -chck; did you mean --check?",
        "check -config f.yaml,             replicator knows no check; did you mean --check?",
        "--confg=f.yaml,                   replicator knows no --confg=f.yaml; did you mean --config?",
        "dlq list --lst 5,                 replicator dlq list knows no --lst; did you mean --last?",
        "key-filter add --tabel t --key k, replicator key-filter add knows no --tabel; did you mean --table?"
    })
    @DisplayName("is answered with what was probably meant")
    void namesTheNearest(String line, String answer) {
        assertThat(call(line)).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(err.toString().lines()).first().isEqualTo(answer);
    }

    @Test
    @DisplayName("is answered with where a command is that was written in the wrong place")
    void namesTheRightPlace() {
        call("replay --all");
        assertThat(err.toString()).contains("did you mean replicator dlq replay?");
    }

    @Test
    @DisplayName("is answered with what is known where nothing is near")
    void namesWhatIsKnown() {
        call("frobnicate");
        assertThat(err.toString())
                .contains("known here: members, key-filter, dlq, --allow-unknown, --check")
                .contains("see `replicator --help`");
    }

    @Test
    @DisplayName("is answered with the usage where something is missing")
    void printsTheUsage() {
        assertThat(call("key-filter add --table t")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(err.toString())
                .contains("Missing required option", "--key=JSON", "Usage: replicator key-filter add");
    }
}
