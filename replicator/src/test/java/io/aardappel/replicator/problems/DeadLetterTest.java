package io.aardappel.replicator.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import io.aardappel.replicator.engine.Decisions.Question;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A dead letter that is read")
class DeadLetterTest {
    private static final Question LATE = Asked.late(7, "a<b", -1, new Position(12, -1));

    private static DeadLetter read(DeadLetterFormat format, Question question) {
        return DeadLetter.of(format.message("inst", Asked.policy(Strategy.STOP), question, Asked.SHAPE));
    }

    private static DeadLetter read(String message) {
        return DeadLetter.of(message.getBytes(StandardCharsets.UTF_8));
    }

    private static Question about(Change change) {
        return new Question(
                new PartitionId(0, 3),
                7,
                change.position(),
                change.key().toString(),
                Optional.of(change),
                Optional.empty(),
                Optional.empty(),
                new Problem(Problem.Reason.UNFIT_RECORD, "it is refused", "decide"),
                List.of());
    }

    @Test
    @DisplayName("in the Go program's format says which record it was")
    void saysWhichRecord() {
        assertThat(read(DeadLetterFormat.TEXT, LATE))
                .isEqualTo(new DeadLetter.Line(
                        "LATE_RECORD", "goods/feed", "[\"a\\u003cb\",18446744073709551615]", new Position(12, -1)));
    }

    @Test
    @DisplayName("as the Go program writes it of a follow-up problem is read alike")
    void readsFollowUps() {
        assertThat(read("Unexpected timestamp in stream, last hb timestamp:[9,0],got tx"
                        + " {\"topic\":\"goods/feed\",\"key\":[1],\"ts\":[5,1]}"))
                .isEqualTo(new DeadLetter.Line("LATE_RECORD", "goods/feed", "[1]", new Position(5, 1)));
    }

    @Test
    @DisplayName("as JSON says all that was written")
    void saysAll() {
        assertThat(read(DeadLetterFormat.JSON, LATE)).isInstanceOfSatisfying(DeadLetter.Whole.class, letter -> {
            assertThat(letter.instanceId()).isEqualTo("inst");
            assertThat(letter.reason()).isEqualTo("LATE_RECORD");
            assertThat(letter.consumer()).isEqualTo("repl");
            assertThat(letter.partition()).isEqualTo(3);
            assertThat(letter.offset()).isEqualTo(7);
            assertThat(letter.table()).isEqualTo("/local/goods");
            assertThat(letter.position()).isEqualTo(new Position(12, -1));
            assertThat(letter.problem()).isEqualTo("it came late");
        });
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    @DisplayName("becomes the change again that it was written for")
    void becomesTheChangeAgain(Operation operation) {
        Columns columns =
                operation == Operation.ERASE ? Columns.NONE : new Columns(new int[] {2}, new Object[] {"te\"a\n<"});
        Change change = new Change(new Position(12, -1), operation, new Key("a<b", 7L), columns, 100);

        DeadLetter.Whole letter = (DeadLetter.Whole) read(DeadLetterFormat.JSON, about(change));
        StreamRecord again = DeadLetter.decode(letter, letter.payload().orElseThrow(), Asked.SHAPE);

        assertThat(again).isInstanceOfSatisfying(Change.class, it -> {
            assertThat(it.position()).isEqualTo(change.position());
            assertThat(it.operation()).isEqualTo(operation);
            assertThat(it.key()).isEqualTo(change.key());
            assertThat(it.columns().values()).isEqualTo(columns.values());
        });
    }

    @Test
    @DisplayName("whose column is gone says so instead of becoming another change")
    void saysWhatIsGone() {
        DeadLetter.Whole letter = (DeadLetter.Whole) read(DeadLetterFormat.JSON, LATE);
        DeadLetter.Payload payload = new DeadLetter.Payload("update", "{\"gone\":1}");

        assertThat(DeadLetter.decode(letter, payload, Asked.SHAPE)).isInstanceOf(Unfit.class);
    }

    @Test
    @DisplayName("of a record that could not be read has nothing to write")
    void hasNothingToWrite() {
        DeadLetter.Whole letter = (DeadLetter.Whole) read(DeadLetterFormat.JSON, Asked.unfit(7, "", Position.ZERO));

        assertThat(letter.payload()).isEmpty();
        assertThat(letter.key()).isEqualTo("null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "{}",
                "{\"partition\":0,\"offset\":1}",
                "{\"partition\":\"0\",\"offset\":1,\"ts\":[1,2]}",
                "{\"partition\":0,\"offset\":1,\"ts\":[1,2,3]}",
                "{\"partition\":0,\"offset\":1,\"ts\":[1,99999999999999999999]}",
                "{\"partition\":0,\"offset\":1,\"ts\":[1,2]",
                "Unexpected timestamp in stream, got tx {\"topic\":",
                "Unexpected timestamp in stream, last hb ts:[9,0], got tx {\"topic\":\"t\",\"key\":[1]}",
            })
    @DisplayName("is taken for a letter only when it is one")
    void isNone(String message) {
        assertThat(read(message)).isEqualTo(new DeadLetter.Stranger());
    }
}
