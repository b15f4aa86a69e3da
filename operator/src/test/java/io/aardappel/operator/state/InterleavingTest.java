package io.aardappel.operator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.StateTable;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.operator.act.StateChangeException;
import io.aardappel.operator.plan.StreamKey;
import io.aardappel.operator.state.Instance.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.settings.ExecuteQuerySettings;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ValueReader;

/**
 * A replicator and a Go program act between any two queries of the operator's changes, as a seed says; some of these queries are lost,
 * or their answers are. Whatever the order: who commits does so on the members that it took the lock with, and a change that was
 * refused changed nothing.
 */
@WithYdb
@DisplayName("Changes beside programs that take the lock")
class InterleavingTest {
    private static final int STEPS = 20;
    private static final StreamKey GOODS = new StreamKey("/src/goods/feed", "c");
    private static final StreamKey ORDERS = new StreamKey("/src/orders/feed", "c");

    private final YdbEmulator ydb;

    InterleavingTest(YdbEmulator ydb) {
        this.ydb = ydb;
    }

    static LongStream manySeeds() {
        return LongStream.range(1_000, 1_100);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("leave one truth")
    void leaveOneTruth(long seed) {
        play(seed);
    }

    @Tag("slow")
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    @DisplayName("leave one truth, many times over")
    void leaveOneTruthManyTimes(long seed) {
        play(seed);
    }

    private void play(long seed) {
        try (Instance instance = new Instance(ydb)) {
            new Game(instance, seed).play();
        }
    }

    private static final class Game {
        private final Instance instance;
        private final long seed;
        private final SplittableRandom random;
        private final List<Program> programs;
        private final List<String> story = new ArrayList<>();
        private int names;
        /** How often the rest of a change may be disturbed: a change that is disturbed for ever is given up after some time. */
        private int disturbances;

        private boolean unknown;
        private String last = "";
        /** What the change that is under way is for, and whether it was so at some moment since the change began. */
        private BooleanSupplier goal = () -> false;

        private boolean reached;

        Game(Instance instance, long seed) {
            this.instance = instance;
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            instance.createTables();
            this.programs = List.of(new Program(true), new Program(false));
        }

        void play() {
            DestinationChanges changes = instance.changes();
            instance.beforeQueries(this::meanwhile);
            for (int step = 0; step < STEPS; step++) {
                any().act();
                int choice = random.nextInt(8);
                if (choice < 3) {
                    remove(changes, choice == 0 ? List.of(GOODS, ORDERS) : List.of(ORDERS));
                } else if (choice < 5) {
                    clear(changes);
                } else if (choice == 5) {
                    delete(changes);
                }
            }
            programs.forEach(Program::end);
        }

        private Program any() {
            return programs.get(random.nextInt(programs.size()));
        }

        private String told() {
            return "seed " + seed + ":\n" + String.join("\n", story);
        }

        /** Between two queries of a change. */
        private Answer meanwhile(ExecuteQueryRequest query) {
            if (disturbances <= 0) {
                return Answer.AS_IT_IS;
            }
            if (random.nextInt(5) == 0) {
                disturbances--;
                reached |= goal.getAsBoolean();
                any().act();
                last = truth();
            }
            int luck = random.nextInt(20);
            boolean commits = query.getTxControl().getCommitTx();
            if (luck == 0) {
                story.add("  a query is lost");
                disturbances--;
                return Answer.NOT_SENT;
            }
            if (luck < 4 && commits) {
                story.add("  the answer to a commit is lost");
                unknown = true;
                disturbances--;
                return Answer.UNKNOWN;
            }
            return Answer.AS_IT_IS;
        }

        /**
         * What was done was so at some moment of the change: where it was so already, a program that takes the lock during the change
         * comes after it.
         */
        private void change(String what, BooleanSupplier wanted, Runnable change) {
            unknown = false;
            disturbances = random.nextInt(4);
            goal = wanted;
            reached = goal.getAsBoolean();
            last = truth();
            story.add(what);
            try {
                change.run();
                story.add("  done");
                assertThat(reached || goal.getAsBoolean()).as(told()).isTrue();
            } catch (StateChangeException refused) {
                story.add("  " + refused.getMessage());
                if (!unknown) {
                    assertThat(truth())
                            .as("what a refused change left; %s", told())
                            .isEqualTo(last);
                }
            }
        }

        private void remove(DestinationChanges changes, List<StreamKey> streams) {
            change(
                    "remove " + streams,
                    () -> streams.stream().map(StreamKey::topic).noneMatch(members()::contains),
                    () -> changes.removeMembers(instance.resource, streams));
        }

        private void clear(DestinationChanges changes) {
            String message = random.nextInt(4) == 0 ? "E0" : instance.read("SELECT last_msg FROM $S WHERE id = 'a'");
            change(
                    "clear " + message,
                    () -> !instance.read("SELECT state FROM $S WHERE id = 'a'").equals("FATAL_ERROR"),
                    () -> changes.clearFatal(instance.resource, message));
        }

        private void delete(DestinationChanges changes) {
            change(
                    "delete",
                    () -> truth().isBlank()
                            && instance.read("SELECT id FROM $S_decisions WHERE id = 'a'")
                                    .isEmpty(),
                    () -> changes.deleteState(instance.resource));
        }

        private String members() {
            return instance.read("SELECT topic FROM $S_streams WHERE id = 'a' AND state = 'member' ORDER BY topic");
        }

        private String truth() {
            return String.join(
                    "\n",
                    members(),
                    instance.read("SELECT step_id, state, last_msg, lock_owner FROM $S WHERE id = 'a'"),
                    instance.read("SELECT commit_seq FROM $S_instances WHERE id = 'a'"));
        }

        /** What a program knows since it took the lock. */
        private record Term(String owner, long step, long seq, String members) {
            Term next() {
                return new Term(owner, step + 1, seq + 1, members);
            }
        }

        /** One that takes the lock, commits and fails as a replicator does, or as the Go program does, which knows the state row alone. */
        private final class Program {
            private final boolean ours;
            private final QuerySession session = instance.session();
            private String owner = "";
            private Term term;
            private QueryTransaction open;

            Program(boolean ours) {
                this.ours = ours;
            }

            void act() {
                if (open != null && random.nextInt(3) > 0) {
                    commit();
                    return;
                }
                int choice = random.nextInt(8);
                if (term == null || choice < 2) {
                    take();
                } else if (choice < 6) {
                    prove();
                } else if (choice == 6) {
                    fail();
                } else {
                    release();
                }
            }

            private String name() {
                return ours ? "replicator" : "Go program";
            }

            /** Its lock runs out at once as a rule, and it does not know. */
            private String deadline() {
                return "CurrentUtcTimestamp() + Interval('" + (random.nextInt(3) == 0 ? "PT1H" : "PT0S") + "')";
            }

            private void take() {
                drop();
                release();
                if (owner.isEmpty() || ours) {
                    owner = "lock_" + (ours ? "pod" : "gohost") + "_" + names++;
                }
                if (instance.read("SELECT id FROM $S WHERE id = 'a'").isEmpty()) {
                    instance.write("UPSERT INTO $S (id, step_id, tx_id, state, stage)"
                            + " VALUES ('a', 0ul, 0ul, 'OK', 'INITIAL_SCAN')");
                }
                instance.write("UPDATE $S SET lock_owner = '" + owner + "', lock_deadline = " + deadline()
                        + " WHERE id = 'a' AND (lock_owner = '" + owner + "' OR " + StateTable.LOCK_IS_FREE + ")");
                if (instance.read("SELECT lock_owner FROM $S WHERE id = 'a' AND state = 'OK'")
                        .equals(owner)) {
                    load();
                    story.add("  " + name() + " takes the lock, " + term);
                } else {
                    release();
                }
            }

            private void load() {
                if (ours && seq() == 0) {
                    instance.write("UPSERT INTO $S_instances (id, commit_seq) VALUES ('a', 1ul)");
                    instance.write("UPSERT INTO $S_streams (id, topic, consumer, state) VALUES ('a', '" + GOODS.topic()
                            + "', 'c', 'member'), ('a', '" + ORDERS.topic() + "', 'c', 'member')");
                    instance.write("UPSERT INTO $S_decisions (id, topic, consumer, partition_id, topic_offset, action)"
                            + " VALUES ('a', '" + ORDERS.topic() + "', 'c', 0ul, 1ul, 'skip')");
                }
                term = new Term(
                        owner,
                        Long.parseLong(instance.read("SELECT step_id FROM $S WHERE id = 'a'")),
                        seq(),
                        members());
            }

            private long seq() {
                String seq = instance.read("SELECT commit_seq FROM $S_instances WHERE id = 'a'");
                return seq.isEmpty() ? 0 : Long.parseLong(seq);
            }

            private Result<QueryReader> call(QueryTransaction transaction, String text, boolean commit) {
                return QueryReader.readFrom(transaction.createQuery(
                                text.replace("$S", instance.table.path()),
                                commit,
                                Params.empty(),
                                ExecuteQuerySettings.newBuilder().build()))
                        .join();
            }

            /** Begins a transaction that reads who has the lock; it commits at another step. */
            private boolean prove() {
                drop();
                if (term == null) {
                    return false;
                }
                QueryTransaction made = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
                String columns = "lock_owner = '" + term.owner() + "'u AND step_id = " + term.step() + "ul AS proved";
                boolean proved = isTrue(call(made, "SELECT " + columns + " FROM $S WHERE id = 'a'", false))
                        && (!ours
                                || isTrue(call(
                                        made,
                                        "SELECT commit_seq = " + term.seq()
                                                + "ul AS proved FROM $S_instances WHERE id = 'a'",
                                        false)));
                open = made;
                if (!proved) {
                    drop();
                    term = null;
                }
                return proved;
            }

            private static boolean isTrue(Result<QueryReader> answer) {
                if (!answer.isSuccess() || !answer.getValue().getResultSet(0).next()) {
                    return false;
                }
                ValueReader proved = answer.getValue().getResultSet(0).getColumn("proved");
                return proved.isOptionalItemPresent() && proved.getBool();
            }

            private void commit() {
                String text = "UPSERT INTO $S (id, step_id, tx_id, stage, lock_deadline) VALUES ('a', "
                        + (term.step() + 1) + "ul, 0ul, 'RUN', " + deadline() + ");\n";
                if (ours) {
                    text += "UPSERT INTO $S_instances (id, commit_seq, owner) VALUES ('a', " + (term.seq() + 1)
                            + "ul, '" + term.owner() + "');\n";
                }
                boolean done = call(open, text, true).isSuccess();
                open = null;
                story.add("  " + name() + (done ? " commits" : " is refused"));
                if (done) {
                    term = term.next();
                    assertThat(members())
                            .as("members, of a program that committed knowing %s; %s", term, told())
                            .isEqualTo(term.members());
                    assertThat(instance.read("SELECT state FROM $S WHERE id = 'a'"))
                            .as(told())
                            .isNotEqualTo("-");
                }
            }

            private void fail() {
                if (prove()) {
                    boolean done = call(
                                    open,
                                    "UPSERT INTO $S (id, state, last_msg) VALUES ('a', 'FATAL_ERROR', 'E" + names++
                                            + "');",
                                    true)
                            .isSuccess();
                    open = null;
                    term = null;
                    story.add("  " + name() + " fails" + (done ? "" : " and cannot say so"));
                }
            }

            /** Or its time runs out, where it ended without doing so. */
            private void release() {
                drop();
                instance.write("UPDATE $S SET lock_deadline = CurrentUtcTimestamp() WHERE id = 'a' AND lock_owner = '"
                        + owner + "'");
                term = null;
            }

            private void drop() {
                if (open != null && open.isActive()) {
                    open.rollback().join();
                }
                open = null;
            }

            void end() {
                drop();
                session.close();
            }
        }
    }
}
