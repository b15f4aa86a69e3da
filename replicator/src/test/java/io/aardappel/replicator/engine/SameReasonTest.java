package io.aardappel.replicator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Problems that were found together")
class SameReasonTest {
    private static Problem moved(int partition) {
        return new Problem(Reason.OFFSETS_MOVED, "partition " + partition, "Set it back");
    }

    @Test
    void areNoneWhereThereIsNone() {
        assertThat(SameReason.asOne(List.of())).isEmpty();
    }

    @Test
    void areOneWithAllThatAreAlike() {
        assertThat(SameReason.asOne(List.of(moved(0), moved(1), moved(0))))
                .contains(new Problem(Reason.OFFSETS_MOVED, "partition 0; partition 1", "Set it back"));
    }

    @Test
    void areTheFirstWhereAnotherHasAnotherReason() {
        assertThat(SameReason.asOne(List.of(moved(0), new Problem(Reason.HISTORY_LOST, "partition 1", "Set it back"))))
                .contains(moved(0));
    }

    @Test
    void areCountedBeyondTheFirstEight() {
        List<Problem> many =
                IntStream.range(0, 11).mapToObj(SameReasonTest::moved).toList();

        assertThat(SameReason.asOne(many))
                .hasValueSatisfying(one -> assertThat(one.what())
                        .endsWith("partition 7; and 3 more")
                        .doesNotContain("partition 8"));
    }
}
