package io.aardappel.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The last words of a container")
class LastWordsTest {
    @Test
    @DisplayName("are those of its error lines, without what came before them")
    void areItsErrors() {
        assertThat(LastWords.of("""
                        ngth":7,"level":"info","message":"a line that lost its beginning"}
                        {"ts":"2026-03-04T05:06:07Z","level":"info","message":"configuration: {…}","streams":[{"a":1}]}
                        {"ts":"2026-03-04T05:06:08Z","level":"error","message":"preflight: table /copy/t does not exist"}
                        {"ts":"2026-03-04T05:06:08Z","level":"error","message":"Finished with error","error":"TABLE: \\"t\\"","n":{"x":[2]}}
                        {"ts":"2026-03-04T05:06:08Z","level":"error","message":"preflight: table /copy/t does not exist"}
                        """))
                .isEqualTo("preflight: table /copy/t does not exist; Finished with error: TABLE: \"t\"");
    }

    @Test
    @DisplayName("name members of the resource, not keys of a file that nobody wrote")
    void nameMembersOfTheResource() {
        assertThat(LastWords.of("""
                        {"level":"error","message":"/etc/aardappel/replicator.yaml: line 15:11: streams[0].consumer: is empty; name one"}
                        {"level":"error","message":"src_connection_string: port 1 is closed"}
                        """))
                .isEqualTo(
                        "spec.streams[0].consumer: is empty; name one; spec.source.connectionString: port 1 is closed");
    }

    @Test
    @DisplayName("are all of them where they are another program's")
    void areAllOfAnother() {
        assertThat(LastWords.of("exec: no such file\n")).isEqualTo("exec: no such file\n");
        assertThat(LastWords.of("{\"level\":\"info\",\"message\":\"ends\"}"))
                .isEqualTo("{\"level\":\"info\",\"message\":\"ends\"}");
        assertThat(LastWords.of("")).isEmpty();
    }
}
