package io.aardappel.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The faults in force")
class FaultsTest {
    private static final Site COMMIT = Site.at("/local", Operation.COMMIT, "/local/orders");

    private final AtomicLong nanos = new AtomicLong();
    private final Faults faults = new Faults(7, nanos::get);

    @Test
    void withoutRulesNothingStrikes() {
        assertThat(faults.strike(Fault.ABORTED, COMMIT)).isNull();
    }

    @Test
    void aRuleStrikesEveryOccasionOfItsFault() {
        faults.add(FaultRule.of(Fault.ABORTED));
        assertThat(faults.strike(Fault.ABORTED, COMMIT)).isNotNull();
        assertThat(faults.strike(Fault.UNAVAILABLE, COMMIT)).isNull();
    }

    @Test
    void aStrikeCarriesDelayAndAmountOfItsRule() {
        faults.add(FaultRule.of(Fault.COMMIT_LATE)
                .withDelay(Duration.ofMillis(250))
                .withAmount(3));
        assertThat(faults.strike(Fault.COMMIT_LATE, COMMIT)).isEqualTo(new Strike(Duration.ofMillis(250), 3));
    }

    @Nested
    @DisplayName("limited to a place")
    class LimitedToAPlace {
        @Test
        void strikeNowhereElse() {
            faults.add(FaultRule.of(Fault.ABORTED).inDatabase("/other"));
            assertThat(faults.strike(Fault.ABORTED, COMMIT)).isNull();
        }

        @Test
        void strikeBelowTheirPath() {
            faults.add(FaultRule.of(Fault.ABORTED).at("/local/orders"));
            assertThat(faults.strike(Fault.ABORTED, Site.at("/local", Operation.QUERY, "/local/orders/feed")))
                    .isNotNull();
        }

        @Test
        void spareNamesThatOnlyBeginAlike() {
            faults.add(FaultRule.of(Fault.ABORTED).at("/local/order"));
            assertThat(faults.strike(Fault.ABORTED, COMMIT)).isNull();
        }

        @Test
        void strikeOnlyTheirOperations() {
            faults.add(FaultRule.of(Fault.ABORTED).during(Operation.QUERY));
            assertThat(faults.strike(Fault.ABORTED, COMMIT)).isNull();
        }

        @Test
        void strikeOnlyTheirPartition() {
            faults.add(FaultRule.of(Fault.BARRIER_LOST).inPartition(2));
            assertThat(faults.strike(Fault.BARRIER_LOST, "/local/t/feed", 1)).isNull();
            assertThat(faults.strike(Fault.BARRIER_LOST, "/local/t/feed", 2)).isNotNull();
        }

        @Test
        void knowTheDatabaseOfAnObjectByItsPath() {
            faults.add(FaultRule.of(Fault.BARRIER_LOST).inDatabase("/local"));
            assertThat(faults.strike(Fault.BARRIER_LOST, "/local/t/feed", 0)).isNotNull();
        }
    }

    @Nested
    @DisplayName("limited in number")
    class LimitedInNumber {
        @Test
        void letTheFirstOccasionsPass() {
            faults.add(FaultRule.of(Fault.ABORTED).after(2));
            assertThat(pattern(4)).containsExactly(false, false, true, true);
        }

        @Test
        void stopAfterTheirCount() {
            faults.add(FaultRule.of(Fault.ABORTED).times(2));
            assertThat(pattern(4)).containsExactly(true, true, false, false);
        }

        @Test
        void keepTheirSpacing() {
            faults.add(FaultRule.of(Fault.ABORTED).everyAtMost(Duration.ofSeconds(1)));
            assertThat(pattern(1)).containsExactly(false);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(pattern(2)).containsExactly(true, false);
        }
    }

    @Nested
    @DisplayName("by chance")
    class ByChance {
        @Test
        void strikeTheSameOccasionsForOneSeed() {
            faults.add(FaultRule.of(Fault.ABORTED).withProbability(0.3));
            faults.reseed(42);
            List<Boolean> first = pattern(100);
            faults.reseed(42);
            assertThat(pattern(100)).isEqualTo(first).contains(true, false);
        }

        @Test
        void refuseAProbabilityOfZero() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FaultRule.of(Fault.ABORTED).withProbability(0))
                    .withMessageContaining("probability");
        }
    }

    @Nested
    @DisplayName("are counted")
    class AreCounted {
        @Test
        void byFault() {
            faults.add(FaultRule.of(Fault.ABORTED).times(2));
            pattern(5);
            assertThat(faults.fired(Fault.ABORTED)).isEqualTo(2);
        }

        @Test
        void byRule() {
            faults.add(FaultRule.of(Fault.ABORTED).times(2));
            pattern(5);
            assertThat(faults.active()).singleElement().satisfies(active -> {
                assertThat(active.matched()).isEqualTo(5);
                assertThat(active.fired()).isEqualTo(2);
            });
        }

        @Test
        @DisplayName("once for what stays open, however often it is looked at")
        void onceForWhatStaysOpen() {
            faults.add(FaultRule.of(Fault.STREAM_CUT).after(1).times(1));
            List<Object> cut = new ArrayList<>();
            for (int look = 0; look < 5; look++) {
                for (Object stream : List.of("one", "two", "three")) {
                    if (!cut.contains(stream) && faults.strikeOpen(Fault.STREAM_CUT, COMMIT, stream) != null) {
                        cut.add(stream);
                    }
                }
            }
            assertThat(cut).as("the first is passed over").containsExactly("two");
            assertThat(faults.active()).singleElement().satisfies(active -> {
                assertThat(active.matched()).isEqualTo(3);
                assertThat(active.fired()).isEqualTo(1);
            });
        }

        @Test
        void evenWhenTheirRuleIsGone() {
            long id = faults.add(FaultRule.of(Fault.ABORTED));
            pattern(3);
            assertThat(faults.remove(id)).isTrue();
            assertThat(faults.fired(Fault.ABORTED)).isEqualTo(3);
        }
    }

    private List<Boolean> pattern(int occasions) {
        List<Boolean> struck = new ArrayList<>();
        for (int i = 0; i < occasions; i++) {
            struck.add(faults.strike(Fault.ABORTED, COMMIT) != null);
        }
        return struck;
    }
}
