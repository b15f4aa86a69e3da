package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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
