package io.aardappel.replicator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.aardappel.replicator.core.Membership.Topic;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The outlook of a term")
class OutlookTest {
    private static PartitionInfo partition(long id, long start, long committed) {
        return new PartitionInfo(id, true, List.of(), List.of(), start, 100, committed);
    }

    private static List<Problem> problems(SavedState saved, PartitionInfo... partitions) {
        return Outlook.problems("shop", List.of(Rig.STREAM), saved, List.of(new Topic(1, List.of(partitions))));
    }

    private static SavedState committed(Map<Long, Long> offsets) {
        StreamRow row = new StreamRow(
                Rig.STREAM.topic(), Rig.STREAM.consumer(), Rig.STREAM.table(), 1, StreamState.MEMBER, offsets);
        return Rig.saved("OK", List.of(row));
    }

    @Test
    @DisplayName("is clear where everything is as it was left")
    void isClear() {
        assertThat(problems(committed(Map.of(0L, 5L)), partition(0, 0, 5))).isEmpty();
    }

    @Test
    @DisplayName("names what the state row says before everything else")
    void namesTheState() {
        assertThat(problems(Rig.saved("FATAL_ERROR", List.of()), partition(0, 0, 5)))
                .extracting(Problem::reason)
                .containsExactly(Reason.STATE_INVALID);
    }

    @Test
    @DisplayName("names every partition whose consumer stands beyond what was committed")
    void namesMovedConsumers() {
        assertThat(problems(committed(Map.of(0L, 5L)), partition(0, 0, 9), partition(1, 0, 8)))
                .extracting(Problem::reason, problem -> problem.what().replaceAll(".*(partition \\d).*", "$1"))
                .containsExactly(
                        tuple(Reason.OFFSETS_MOVED, "partition 0"), tuple(Reason.OFFSETS_MOVED, "partition 1"));
    }

    @Test
    @DisplayName("names every partition that has forgotten what was not read")
    void namesLostHistory() {
        assertThat(problems(committed(Map.of(0L, 5L, 1L, 5L)), partition(0, 7, 5), partition(1, 5, 5)))
                .extracting(Problem::reason)
                .containsExactly(Reason.HISTORY_LOST);
    }
}
