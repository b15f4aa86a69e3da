package io.aardappel.replicator.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.engine.Decisions.Question;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A dead letter")
class DeadLetterFormatTest {
    private static final Question LATE = Asked.late(7, "a<b", -1, new Position(12, -1));

    private static String written(DeadLetterFormat format, Question question) {
        return format.text("inst", Asked.policy(Strategy.STOP), question, Asked.SHAPE);
    }

    @Test
    @DisplayName("about a late record is, as text, the Go program's line to the letter")
    void isTheGoProgramsLine() {
        assertThat(written(DeadLetterFormat.TEXT, LATE))
                .isEqualTo("Unexpected timestamp in stream, last hb ts:[100,0], got tx {\"topic\":\"goods/feed\","
                        + "\"key\":[\"a\\u003cb\",18446744073709551615],\"ts\":[12,18446744073709551615]}");
    }

    @Test
    @DisplayName("as text carries no column values")
    void carriesNoValues() {
        assertThat(written(DeadLetterFormat.TEXT, LATE)).doesNotContain("secret value");
    }

    @Test
    @DisplayName("as JSON says all that is known, column values among it")
    void saysAll() {
        assertThat(written(DeadLetterFormat.JSON, LATE))
                .isEqualTo("{\"instance_id\":\"inst\",\"reason\":\"LATE_RECORD\",\"topic\":\"goods/feed\","
                        + "\"consumer\":\"repl\",\"partition\":3,\"offset\":7,\"table\":\"/local/goods\","
                        + "\"key\":[\"a\\u003cb\",18446744073709551615],\"ts\":[12,18446744073709551615],"
                        + "\"barrier\":[100,0],\"operation\":\"update\",\"columns\":{\"value\":\"secret value\"},"
                        + "\"problem\":\"it came late\"}");
    }

    @Test
    @DisplayName("about a record that does not fit names what is wrong with it")
    void namesWhatIsWrong() {
        assertThat(written(DeadLetterFormat.TEXT, Asked.unfit(7, "[1, 2]", new Position(12, 0))))
                .isEqualTo("Unfit record in stream, column c is not in the table, got tx {\"topic\":\"goods/feed\","
                        + "\"key\":[1, 2],\"ts\":[12,0]}");
    }

    @Test
    @DisplayName("about a record that does not fit carries what it would write, as the feed spells it")
    void carriesWhatItWouldWrite() {
        assertThat(written(DeadLetterFormat.JSON, Asked.unfit(7, "[1, 2]", new Position(12, 0))))
                .contains("\"operation\":\"update\",\"columns\":{\"c\":1},");
    }

    @Test
    @DisplayName("has null for a key that could not be read")
    void hasNullForAnUnreadableKey() {
        assertThat(written(DeadLetterFormat.JSON, Asked.unfit(7, "", Position.ZERO)))
                .contains("\"key\":null");
    }
}
