package io.aardappel.replicator.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Beginning.Lack;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A stream that is to be scanned")
class BeginningTest {
    private static final StreamSpec STREAM = new StreamSpec("/src/goods/feed", "c", "/dst/goods");

    private static Optional<Lack> lack(PartitionInfo... partitions) {
        return Beginning.lack(STREAM, List.of(partitions));
    }

    private static PartitionInfo partition(long id, List<Long> parents, long start, long committed) {
        return new PartitionInfo(id, true, parents, List.of(), start, 100, committed);
    }

    private static PartitionInfo partition(long id, long start, long committed) {
        return partition(id, List.of(), start, committed);
    }

    @Test
    void lacksNothingWhileNothingWasReadOrForgotten() {
        assertThat(lack(partition(0, 0, 0), partition(1, List.of(0L), 0, 0))).isEmpty();
    }

    @Test
    void lacksWhatItsConsumerHasRead() {
        Lack lack = lack(partition(0, 0, 0), partition(1, 0, 7)).orElseThrow();

        assertThat(lack.what())
                .isEqualTo("consumer c has read partition 1 up to offset 7 already; the changes from 0 on would"
                        + " be missing from the copy");
        assertThat(lack.forgotten()).isFalse();
        assertThat(lack.remedy(STREAM)).contains("has read nothing", "drop consumer c of /src/goods/feed");
    }

    @Test
    @DisplayName(
            "lacks what its topic has forgotten, whether its consumer is told to stand at 0 or where the rest begins")
    void lacksWhatItsTopicHasForgotten() {
        for (long committed : new long[] {0, 40}) {
            Lack lack = lack(partition(0, 40, committed)).orElseThrow();

            assertThat(lack.what()).contains("keeps partition 0 from offset 40 on only");
            assertThat(lack.forgotten()).isTrue();
            assertThat(lack.remedy(STREAM))
                    .contains("Make the changefeed of /src/goods/feed anew", "INITIAL_SCAN = TRUE");
        }
    }

    @Test
    void isToldFirstOfWhatAnotherConsumerWouldLackToo() {
        assertThat(lack(partition(0, 0, 7), partition(1, 40, 50)).orElseThrow().forgotten())
                .isTrue();
    }

    @Test
    void lacksAPartitionThatIsGoneAfterItsSplit() {
        Lack lack = lack(partition(1, List.of(0L), 0, 0), partition(2, List.of(0L), 0, 0))
                .orElseThrow();

        assertThat(lack.what()).contains("has forgotten partition 0, of which partition 1 was made");
        assertThat(lack.forgotten()).isTrue();
    }
}
