package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.core.Issue;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;

@DisplayName("The text of a status")
class StatusTextTest {
    @Test
    void isItsNameWhereTheServerSaysNoMore() {
        assertThat(StatusText.of(Status.of(StatusCode.OVERLOADED))).isEqualTo("OVERLOADED");
    }

    @Test
    void holdsEveryMessageFromTheOutsideIn() {
        Issue inner = Issue.of("no such\n  column", Issue.Severity.ERROR);
        Issue silent = Issue.of(Issue.Position.EMPTY, Issue.Position.EMPTY, 0, " ", Issue.Severity.ERROR, inner);
        Issue outer = Issue.of(
                Issue.Position.EMPTY, Issue.Position.EMPTY, 0, "type annotation ", Issue.Severity.ERROR, silent);
        assertThat(StatusText.of(Status.of(StatusCode.GENERIC_ERROR, outer, Issue.of("and more", Issue.Severity.INFO))))
                .isEqualTo("GENERIC_ERROR: type annotation: no such column: and more");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deadline exceeded after 4.99s. [remote_addr=localhost/127.0.0.1:2136]",
                "deadline exceeded after 4.99s. [closed=[], open=[[buffered_nanos=499, waiting_for_connection]]]",
                "deadline exceeded after 4.99s. [buffered_nanos=12, remote_addr=localhost/127.0.0.1:2136]",
                "deadline exceeded after 4.99s. [[buffered_nanos=12]]"
            })
    void leavesOutWhatTheLibrarySaysOfItsConnection(String message) {
        assertThat(StatusText.of(
                        Status.of(StatusCode.CLIENT_DEADLINE_EXCEEDED, Issue.of(message, Issue.Severity.ERROR))))
                .isEqualTo("CLIENT_DEADLINE_EXCEEDED: deadline exceeded after 4.99s.");
    }

    @Test
    void keepsWhatAServerPutsInBrackets() {
        assertThat(StatusText.of(Status.of(
                        StatusCode.SCHEME_ERROR, Issue.of("no column [a, b] in [/db/t]", Issue.Severity.ERROR))))
                .isEqualTo("SCHEME_ERROR: no column [a, b] in [/db/t]");
    }

    @Test
    void endsWhereIssuesAreNestedWithoutReason() {
        Issue issue = Issue.of("deepest", Issue.Severity.ERROR);
        for (int i = 0; i < 100; i++) {
            issue = Issue.of(Issue.Position.EMPTY, Issue.Position.EMPTY, 0, "level", Issue.Severity.ERROR, issue);
        }
        assertThat(StatusText.of(Status.of(StatusCode.GENERIC_ERROR, issue)))
                .startsWith("GENERIC_ERROR: level")
                .doesNotContain("deepest");
    }
}
