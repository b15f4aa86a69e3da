package io.aardappel.operator.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.grpc.Accounts;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.operator.act.StateChangeException;
import io.aardappel.operator.plan.StreamKey;
import io.aardappel.operator.state.Instance.Answer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@WithYdb
@DisplayName("A change in a destination:")
class DestinationChangesTest {
    private static final StreamKey ORDERS = new StreamKey("/src/orders/feed", "c");

    private final YdbEmulator ydb;
    private final Instance instance;

    DestinationChangesTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.instance = new Instance(ydb);
    }

    @AfterEach
    void close() {
        ydb.faults().clear();
        instance.close();
    }

    private void begin() {
        instance.createTables().writeRows("a", "RUN").writeRows("b", "RUN");
    }

    private void remove() {
        instance.changes().removeMembers(instance.resource, List.of(ORDERS));
    }

    private void delete() {
        instance.changes().deleteState(instance.resource);
    }

    private String members(String id) {
        return instance.read("SELECT topic, state FROM $S_streams WHERE id = '" + id + "' ORDER BY topic");
    }

    private String seq() {
        return instance.read("SELECT commit_seq FROM $S_instances WHERE id = 'a'");
    }

    private String rows(String id) {
        StringBuilder counts = new StringBuilder();
        for (String suffix : new String[] {"", "_instances", "_streams", "_decisions", "_replays"}) {
            counts.append(instance.read("SELECT COUNT(*) FROM $S" + suffix + " WHERE id = '" + id + "'"))
                    .append(' ');
        }
        return counts.toString().strip();
    }

    /** Once, right before the operator's transaction writes and commits. */
    private void beforeTheCommit(Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        instance.beforeQueries(request -> {
            if (request.getTxControl().getCommitTx()
                    && !request.getTxControl().getTxId().isEmpty()
                    && !done.getAndSet(true)) {
                action.run();
            }
            return Answer.AS_IT_IS;
        });
    }

    /** How often the fault struck before. */
    private long strikeAtTheCommit(Fault fault) {
        long before = ydb.faults().fired(fault);
        beforeTheCommit(() -> ydb.faults()
                .add(FaultRule.of(fault)
                        .during(Operation.QUERY, Operation.COMMIT)
                        .times(1)
                        .withDelay(Duration.ofMillis(30))));
        return before;
    }

    @Nested
    @DisplayName("clearing FATAL_ERROR")
    class Clearing {
        private void fail(String message) {
            instance.write("UPDATE $S SET state = 'FATAL_ERROR', last_msg = '" + message + "' WHERE id = 'a'");
        }

        private void clear(String message) {
            instance.changes().clearFatal(instance.resource, message);
        }

        private String row() {
            return instance.read("SELECT state, last_msg, step_id, tx_id, stage, lock_owner FROM $S WHERE id = 'a'");
        }

        @Test
        void setsTheStateAndForgetsTheMessage() {
            begin();
            fail("UNFIT_RECORD: x");
            clear("UNFIT_RECORD: x");
            assertThat(row()).isEqualTo("OK - 10 7 RUN lock_pod-1_x");
            assertThat(seq()).isEqualTo("41");
        }

        @Test
        void isDoneThoughWhoEndedSoLeftTheLockToRunOut() {
            begin();
            fail("UNFIT_RECORD: x");
            instance.lock("lock_gohost_1");
            clear("UNFIT_RECORD: x");
            assertThat(row()).startsWith("OK - ").endsWith("lock_gohost_1");
        }

        @Test
        void isNotDoneForAnotherProblem() {
            begin();
            fail("TOPIC_RECREATED: y");
            assertThatThrownBy(() -> clear("UNFIT_RECORD: x"))
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageStartingWith("instance a in state table " + instance.table.path())
                    .hasMessageContaining("TOPIC_RECREATED: y");
            assertThat(row()).startsWith("FATAL_ERROR TOPIC_RECREATED: y");
        }

        @Test
        void isNotDoneForAProblemThatComesMeanwhile() {
            begin();
            fail("UNFIT_RECORD: x");
            beforeTheCommit(() -> fail("TOPIC_RECREATED: y"));
            assertThatThrownBy(() -> clear("UNFIT_RECORD: x")).isInstanceOf(StateChangeException.class);
            assertThat(row()).startsWith("FATAL_ERROR TOPIC_RECREATED: y");
        }

        @Test
        void changesNothingWhereThereIsNone() {
            clear("");
            instance.createStateTable();
            clear("");
            instance.createTables().writeRows("a", "RUN");
            instance.write("UPDATE $S SET last_msg = 'old' WHERE id = 'a'");
            clear("old");
            assertThat(row()).isEqualTo("OK old 10 7 RUN lock_pod-1_x");
        }
    }

    @Nested
    @DisplayName("taking streams out")
    class TakingOut {
        @ParameterizedTest
        @ValueSource(strings = {"RUN", "INITIAL_SCAN"})
        void marksThemAndLeavesEverythingElse(String stage) {
            instance.createTables().writeRows("a", stage).writeRows("b", stage);

            remove();

            assertThat(members("a")).isEqualTo("/src/goods/feed member\n/src/orders/feed removed");
            assertThat(members("b")).isEqualTo("/src/goods/feed member\n/src/orders/feed member");
            assertThat(instance.read("SELECT dst_table, topic_created_at, offsets FROM $S_streams"
                            + " WHERE id = 'a' AND topic = '/src/orders/feed'"))
                    .isEqualTo("/local/orders 5 0:9");
            assertThat(instance.read("SELECT step_id, tx_id, state, stage FROM $S WHERE id = 'a'"))
                    .isEqualTo("10 7 OK " + stage);
            assertThat(instance.read("SELECT vouched_step, vouched_tx, phase FROM $S_instances WHERE id = 'a'"))
                    .isEqualTo("10 7 NONE");
        }

        @Test
        void leavesTheLockFreeAndNobodyAbleToCommitWhoHadIt() {
            begin();
            remove();
            assertThat(instance.read("SELECT lock_owner FROM $S WHERE id = 'a'"))
                    .startsWith(Instance.OPERATOR);
            assertThat(instance.read("SELECT lock_deadline <= CurrentUtcTimestamp() FROM $S WHERE id = 'a'"))
                    .isEqualTo("true");
            assertThat(seq()).isEqualTo("42");
            assertThat(instance.read("SELECT owner, attempt FROM $S_instances WHERE id = 'a'"))
                    .startsWith(Instance.OPERATOR)
                    .endsWith(" 1");
        }

        @Test
        void forgetsWhatWasDecidedAboutSingleRecordsOfThem() {
            begin();
            remove();
            assertThat(instance.read("SELECT id, topic, action FROM $S_decisions WHERE topic = '/src/orders/feed'"
                            + " ORDER BY id, action"))
                    .as("what holds for other streams too stays, and so does what is another instance's")
                    .isEqualTo("a /src/orders/feed skip_all\nb /src/orders/feed skip\nb /src/orders/feed skip_all");
            assertThat(instance.read("SELECT COUNT(*) FROM $S_decisions WHERE topic = '/src/goods/feed'"))
                    .isEqualTo("4");
        }

        @ParameterizedTest
        @ValueSource(strings = {"'lock_pod-2_y'", "NULL", "''"})
        void isRefusedWhileTheDeadlineLiesAheadWhoeverStandsThere(String owner) {
            begin();
            instance.write("UPDATE $S SET lock_owner = " + owner
                    + ", lock_deadline = CurrentUtcTimestamp() + Interval('PT1H') WHERE id = 'a'");
            String until = instance.read("SELECT lock_deadline FROM $S WHERE id = 'a'");
            assertThatThrownBy(DestinationChangesTest.this::remove)
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContainingAll(
                            "instance a in state table " + instance.table.path(),
                            owner.startsWith("'lock") ? "lock_pod-2_y" : "somebody",
                            until,
                            "2026-03-04T05:06:07Z",
                            "/src/orders/feed");
            assertThat(members("a")).contains("/src/orders/feed member");
            assertThat(seq()).isEqualTo("41");
        }

        @ParameterizedTest
        @ValueSource(strings = {"NULL", "CurrentUtcTimestamp()"})
        void isDoneWhenTheDeadlineIsPassedOrThereWasNone(String deadline) {
            begin();
            instance.write("UPDATE $S SET lock_deadline = " + deadline + " WHERE id = 'a'");
            remove();
            assertThat(members("a")).contains("/src/orders/feed removed");
        }

        @Test
        void isDoneOnceAndThenLeavesTheHolderAlone() {
            begin();
            remove();
            instance.lock("lock_pod-2_y");
            remove();
            assertThat(seq()).isEqualTo("42");
            assertThat(instance.read("SELECT lock_owner FROM $S WHERE id = 'a'"))
                    .isEqualTo("lock_pod-2_y");
        }

        @Test
        void hasNothingToDoWhereOnlyTheGoProgramRan() {
            instance.createStateTable();
            instance.write("UPSERT INTO $S (id, step_id, tx_id, state, stage) VALUES ('a', 1ul, 1ul, 'OK', 'RUN')");
            remove();
            assertThat(instance.read("SELECT step_id, lock_owner FROM $S")).isEqualTo("1 -");
        }

        @Test
        void doesNotMakeAStateRowThatIsGone() {
            begin();
            instance.write("DELETE FROM $S WHERE id = 'a'");
            remove();
            assertThat(members("a")).contains("/src/orders/feed removed");
            assertThat(instance.read("SELECT id FROM $S")).isEqualTo("b");
        }

        @Test
        void takesOutThousandsOfThem() {
            instance.createTables().writeRows("a", "RUN");
            List<StreamKey> many = IntStream.range(0, 2_000)
                    .mapToObj(i -> new StreamKey("/src/t" + i + "/feed", "c" + i % 3))
                    .toList();
            for (int from = 0; from < many.size(); from += 100) {
                instance.write("UPSERT INTO $S_streams (id, topic, consumer, state) VALUES "
                        + many.subList(from, from + 100).stream()
                                .map(one -> "('a', '" + one.topic() + "', '" + one.consumer() + "', 'member')")
                                .collect(Collectors.joining(", ")));
            }
            instance.changes().removeMembers(instance.resource, many);
            assertThat(instance.read("SELECT COUNT(*) FROM $S_streams WHERE id = 'a' AND state = 'removed'"))
                    .isEqualTo("2000");
            assertThat(instance.read("SELECT COUNT(*) FROM $S_streams WHERE id = 'a' AND state = 'member'"))
                    .isEqualTo("2");
        }

        @Test
        void givesWayToALockThatIsTakenMeanwhile() {
            begin();
            beforeTheCommit(() -> instance.lock("lock_pod-2_y"));
            assertThatThrownBy(DestinationChangesTest.this::remove)
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContaining("lock_pod-2_y");
            assertThat(members("a")).contains("/src/orders/feed member");
            assertThat(seq()).isEqualTo("41");
        }

        @ParameterizedTest
        @EnumSource(
                value = Fault.class,
                names = {"ABORTED", "UNAVAILABLE", "OVERLOADED", "BAD_SESSION", "COMMIT_UNDETERMINED", "COMMIT_LATE"})
        void isDoneOnceWhateverACommitIsAnswered(Fault fault) {
            begin();
            long before = strikeAtTheCommit(fault);
            remove();
            assertThat(ydb.faults().fired(fault)).isEqualTo(before + 1);
            assertThat(members("a")).contains("/src/orders/feed removed");
            assertThat(seq()).as("commits").isEqualTo("42");
        }
    }

    @Nested
    @DisplayName("removing all rows of an instance")
    class Removing {
        @Test
        void leavesOtherInstancesAlone() {
            begin();
            assertThat(rows("a")).isEqualTo("1 1 2 4 1");
            delete();
            assertThat(rows("a")).isEqualTo("0 0 0 0 0");
            assertThat(rows("b")).isEqualTo("1 1 2 4 1");
        }

        @Test
        void isRefusedWhileSomebodyHoldsTheLock() {
            begin();
            instance.lock("lock_pod-2_y");
            assertThatThrownBy(DestinationChangesTest.this::delete)
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContainingAll("its rows are not removed", "lock_pod-2_y");
            assertThat(rows("a")).isEqualTo("1 1 2 4 1");
        }

        @Test
        void mayBeDoneTwice() {
            begin();
            delete();
            delete();
            assertThat(rows("a")).isEqualTo("0 0 0 0 0");
        }

        @Test
        void needsNoneOfOurTables() {
            instance.createStateTable();
            instance.write("UPSERT INTO $S (id, step_id) VALUES ('a', 1ul), ('b', 1ul)");
            delete();
            assertThat(instance.read("SELECT id FROM $S")).isEqualTo("b");
        }

        @Test
        void needsNoTableAtAll() {
            delete();
            begin();
            assertThat(rows("a")).as("nothing was made").isEqualTo("1 1 2 4 1");
        }

        @Test
        void removesTheOthersWhenTheStateTableIsGone() {
            begin();
            instance.define("DROP TABLE $S");
            delete();
            assertThat(instance.read("SELECT COUNT(*) FROM $S_streams WHERE id = 'a'"))
                    .isEqualTo("0");
            assertThat(instance.read("SELECT COUNT(*) FROM $S_decisions WHERE id = 'b'"))
                    .isEqualTo("4");
        }

        @Test
        void givesWayToALockThatIsTakenMeanwhile() {
            begin();
            beforeTheCommit(() -> instance.lock("lock_pod-2_y"));
            assertThatThrownBy(DestinationChangesTest.this::delete)
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContaining("lock_pod-2_y");
            assertThat(rows("a")).isEqualTo("1 1 2 4 1");
        }

        @Test
        void leavesAnInstanceAloneThatBeginsMeanwhile() {
            instance.createStateTable();
            beforeTheCommit(() -> {
                instance.createTables().writeRows("a", "INITIAL_SCAN");
                instance.lock("lock_pod-2_y");
            });
            delete();
            assertThat(rows("a")).as("there was nothing before").isEqualTo("1 1 2 4 1");
        }

        @Test
        void givesWayToAReplicatorThatTakesOverFromTheGoProgramMeanwhile() {
            instance.createStateTable();
            instance.write("UPSERT INTO $S (id, step_id, lock_owner) VALUES ('a', 1ul, 'lock_gohost_1')");
            beforeTheCommit(() -> {
                instance.createTables().writeRows("a", "INITIAL_SCAN");
                instance.lock("lock_pod-2_y");
            });
            assertThatThrownBy(DestinationChangesTest.this::delete)
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContaining("lock_pod-2_y");
            assertThat(rows("a")).isEqualTo("1 1 2 4 1");
        }

        @ParameterizedTest
        @EnumSource(
                value = Fault.class,
                names = {"ABORTED", "UNAVAILABLE", "COMMIT_UNDETERMINED", "COMMIT_LATE"})
        void isDoneWhateverACommitIsAnswered(Fault fault) {
            begin();
            long before = strikeAtTheCommit(fault);
            delete();
            assertThat(ydb.faults().fired(fault)).isEqualTo(before + 1);
            assertThat(rows("a")).isEqualTo("0 0 0 0 0");
        }
    }

    @Nested
    @DisplayName("when the destination does not do its part")
    class Away {
        @Test
        void saysWhyThereIsNoConnection() {
            DestinationChanges changes = new DestinationChanges(
                    resource -> {
                        throw new IllegalStateException("no route to copy:2136");
                    },
                    "operator-0");
            assertThatThrownBy(() -> changes.deleteState(instance.resource))
                    .isInstanceOf(StateChangeException.class)
                    .hasMessage("instance a in state table " + instance.table.path()
                            + ": its rows could not be removed, because the destination cannot be reached:"
                            + " no route to copy:2136");
        }

        @Test
        void givesUpInTime() {
            begin();
            instance.beforeQueries(request -> Answer.NOT_SENT);
            long begun = System.nanoTime();
            assertThatThrownBy(() -> instance.changes(Duration.ofSeconds(1)).deleteState(instance.resource))
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContainingAll("instance a", "could not be removed within 1 s", "UNAVAILABLE")
                    .hasMessageNotContaining("Status{");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            assertThat(rows("a")).isEqualTo("1 1 2 4 1");
        }

        @ParameterizedTest
        @EnumSource(
                value = Right.class,
                names = {"READ", "WRITE"})
        void namesTheRemedyAtOnceWhereARightIsMissing(Right right) {
            begin();
            ydb.permissions().revoke(Accounts.ANONYMOUS, ydb.database().path(), right);
            try {
                assertThatThrownBy(DestinationChangesTest.this::delete)
                        .isInstanceOf(StateChangeException.class)
                        .hasMessageContainingAll("could not be removed: ", "may read and write the tables")
                        .hasMessageNotContaining("Status{");
            } finally {
                ydb.permissions().grant(Accounts.ANONYMOUS, ydb.database().path(), right);
            }
            assertThat(rows("a")).isEqualTo("1 1 2 4 1");
        }

        @Test
        void saysWhatIsWrongWithATableOfAnotherShape() {
            instance.define("CREATE TABLE $S (id Utf8, PRIMARY KEY (id))");
            assertThatThrownBy(() -> instance.changes().clearFatal(instance.resource, "x"))
                    .isInstanceOf(StateChangeException.class)
                    .hasMessageContainingAll("FATAL_ERROR could not be cleared", "state")
                    .hasMessageNotContaining("Status{");
        }
    }
}
