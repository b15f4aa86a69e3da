package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Membership.Topic;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Membership")
class MembershipTest {
    private static final StreamSpec GOODS = new StreamSpec("goods/feed", "c", "/dst/goods");
    private static final StreamSpec ORDERS = new StreamSpec("orders/feed", "c", "/dst/orders");
    private static final long CREATED = 50;

    private static StreamRow row(StreamSpec stream, StreamState state) {
        return new StreamRow(stream.topic(), stream.consumer(), stream.table(), CREATED, state, Map.of());
    }

    private static SavedState saved(Stage stage, long checkpoint, boolean ours, StreamRow... rows) {
        Optional<InstanceRow> instance =
                ours ? Optional.of(new InstanceRow(at(checkpoint), Position.ZERO, ScanPhase.NONE)) : Optional.empty();
        return new SavedState(at(checkpoint), "OK", "", stage, instance, List.of(rows), List.of());
    }

    private static Topic topic(long committed) {
        return new Topic(CREATED, List.of(new PartitionInfo(0, true, List.of(), List.of(), 0, 9, committed)));
    }

    private static List<Reason> reasons(List<StreamSpec> streams, SavedState saved) {
        return Membership.check(
                        streams, saved, streams.stream().map(stream -> topic(3)).toList())
                .problems()
                .stream()
                .map(Problem::reason)
                .toList();
    }

    @Nested
    @DisplayName("with recorded members")
    class WithRecordedMembers {
        private final SavedState saved =
                saved(Stage.RUN, 100, true, row(GOODS, StreamState.MEMBER), row(ORDERS, StreamState.MEMBER));

        @Test
        @DisplayName("accepts a configuration that names them all, in any order")
        void acceptsAll() {
            Membership membership = Membership.check(List.of(ORDERS, GOODS), saved, List.of(topic(3), topic(3)));

            assertThat(membership.problems()).isEmpty();
            assertThat(membership.changed()).isEmpty();
        }

        @Test
        @DisplayName("refuses an old configuration that leaves one out, by name")
        void refusesAnOldConfiguration() {
            Membership membership = Membership.check(List.of(GOODS), saved, List.of(topic(3)));

            assertThat(membership.problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.text())
                            .startsWith("STREAM_MISSING")
                            .contains("orders/feed", "members remove -config FILE --topic orders/feed --consumer c"));
        }

        @Test
        @DisplayName("records when a table was created where that was not known, and leaves what is recorded")
        void recordsWhenTablesWereCreated() {
            Position created = new Position(7, -1);
            StreamRow recorded = row(ORDERS, StreamState.MEMBER).madeKnown(created);
            SavedState saved = saved(Stage.RUN, 100, true, row(GOODS, StreamState.MEMBER), recorded)
                    .with(Map.of(GOODS.table(), created, ORDERS.table(), new Position(8, 1)));

            Membership membership = Membership.check(List.of(ORDERS, GOODS), saved, List.of(topic(3), topic(3)));

            assertThat(membership.changed())
                    .containsExactly(row(GOODS, StreamState.MEMBER).madeKnown(created));
            assertThat(membership.rows()).contains(recorded);
        }

        @Test
        @DisplayName("records nothing where the server does not tell when a table was created")
        void recordsNothingThatIsNotTold() {
            Membership membership = Membership.check(List.of(ORDERS, GOODS), saved, List.of(topic(3), topic(3)));

            assertThat(membership.rows()).extracting(StreamRow::tableCreated).containsOnly(Position.ZERO);
        }

        @Test
        @DisplayName("does not miss a stream that was removed")
        void doesNotMissARemovedOne() {
            SavedState removed =
                    saved(Stage.RUN, 100, true, row(GOODS, StreamState.MEMBER), row(ORDERS, StreamState.REMOVED));

            assertThat(reasons(List.of(GOODS), removed)).isEmpty();
        }

        @Test
        @DisplayName("refuses a stream that is not among them")
        void refusesANewStreamB42() {
            assertThat(reasons(List.of(GOODS, ORDERS), saved(Stage.RUN, 100, true, row(GOODS, StreamState.MEMBER))))
                    .containsExactly(Reason.STREAM_NOT_MEMBER);
        }

        @Test
        @DisplayName("refuses a topic that was created again under the same name")
        void refusesARecreatedTopic() {
            Topic again = new Topic(1_764_500_000_123L, topic(3).partitions());

            assertThat(Membership.check(List.of(GOODS, ORDERS), saved, List.of(again, topic(3)))
                            .problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.text())
                            .startsWith(
                                    "TOPIC_RECREATED: topic goods/feed was created at 2025-11-30T10:53:20.123Z, but")
                            .contains("one of that name created at 1970-01-01T00:00:00.050Z")
                            .contains(Anew.PAGE, "members remove -config FILE --topic goods/feed --consumer")
                            .doesNotContain("then set state to OK"));
        }

        @Test
        @DisplayName("refuses another table for a member")
        void refusesAnotherTable() {
            StreamSpec moved = new StreamSpec(ORDERS.topic(), ORDERS.consumer(), "/dst/other");

            assertThat(reasons(List.of(GOODS, moved), saved)).containsExactly(Reason.STREAM_NOT_MEMBER);
        }
    }

    @Nested
    @DisplayName("that nobody recorded yet")
    class Unrecorded {
        @Test
        @DisplayName("is all of the configured streams in an initial scan")
        void isAllInAScan() {
            Membership membership = Membership.check(
                    List.of(GOODS, ORDERS), saved(Stage.INITIAL_SCAN, 0, false), List.of(topic(0), topic(0)));

            assertThat(membership.problems()).isEmpty();
            assertThat(membership.changed()).extracting(StreamRow::topic).containsExactly("goods/feed", "orders/feed");
        }

        @Test
        @DisplayName("can be scanned for an instance of ours only by a consumer that is still to be given everything")
        void isScannedFromItsBeginning() {
            SavedState begun = saved(Stage.INITIAL_SCAN, 0, true);
            SavedState withAnother = saved(Stage.INITIAL_SCAN, 100, true, row(GOODS, StreamState.MEMBER));

            assertThat(Membership.check(List.of(ORDERS), begun, List.of(topic(0)))
                            .problems())
                    .isEmpty();
            assertThat(Membership.check(List.of(ORDERS), begun, List.of(topic(3)))
                            .problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.text())
                            .startsWith("STREAM_NOT_MEMBER: stream orders/feed cannot be scanned: consumer c has read")
                            .contains("drop consumer c of orders/feed and add it again"));
            assertThat(Membership.check(List.of(GOODS, ORDERS), withAnother, List.of(topic(3), topic(0)))
                            .problems())
                    .isEmpty();
            assertThat(Membership.check(List.of(GOODS, ORDERS), withAnother, List.of(topic(3), topic(3)))
                            .problems())
                    .extracting(Problem::what)
                    .singleElement()
                    .asString()
                    .contains("orders/feed");
        }

        @Test
        @DisplayName("can have been read by a predecessor that began the scan, of which no row of ours is there")
        void isGoneOnWithAfterAPredecessor() {
            assertThat(reasons(List.of(GOODS), saved(Stage.INITIAL_SCAN, 0, false)))
                    .isEmpty();
        }

        @Test
        @DisplayName("is adopted in RUN where the consumer has committed everywhere")
        void isAdopted() {
            assertThat(reasons(List.of(GOODS), saved(Stage.RUN, 100, false))).isEmpty();
        }

        @Test
        @DisplayName("is recorded with the offsets that its consumer stands at, which are not ours")
        void isRecordedWithItsOffsets() {
            Membership membership = Membership.check(List.of(GOODS), saved(Stage.RUN, 100, false), List.of(topic(3)));

            assertThat(membership.changed())
                    .singleElement()
                    .satisfies(row -> assertThat(row.committed()).containsValue(3L));
        }

        @Test
        @DisplayName("is not adopted where the consumer never committed")
        void isNotAdoptedWithoutACommit() {
            assertThat(Membership.check(List.of(GOODS), saved(Stage.RUN, 100, false), List.of(topic(0)))
                            .problems())
                    .extracting(Problem::reason)
                    .containsExactly(Reason.STREAM_NOT_MEMBER);
        }

        @Test
        @DisplayName("is not adopted when the topic was created above the checkpoint")
        void isNotAdoptedAboveTheCheckpoint() {
            assertThat(reasons(List.of(GOODS), saved(Stage.RUN, 40, false))).containsExactly(Reason.STREAM_NOT_MEMBER);
        }
    }

    @Test
    @DisplayName("refuses two streams into one table during a scan")
    void refusesASharedTableInAScan() {
        StreamSpec second = new StreamSpec("more/feed", "c", GOODS.table());

        assertThat(reasons(List.of(GOODS, second), saved(Stage.INITIAL_SCAN, 0, false)))
                .containsExactly(Reason.SHARED_TABLE);
    }
}
