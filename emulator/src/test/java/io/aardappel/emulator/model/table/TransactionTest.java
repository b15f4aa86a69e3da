package io.aardappel.emulator.model.table;

import static io.aardappel.emulator.model.table.TableBench.TABLE;
import static io.aardappel.emulator.model.table.TableBench.key;
import static io.aardappel.emulator.model.table.TableBench.upsert;
import static io.aardappel.emulator.model.table.TableBench.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.RowWrite.Kind;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.value.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A transaction")
class TransactionTest {
    private final TableBench bench = new TableBench().table();

    private static YdbException refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        YdbException refused = catchThrowableOfType(YdbException.class, call);
        assertThat(refused).as("a refusal").isNotNull();
        return refused;
    }

    private static void assertAborted(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        YdbException refused = refusal(call);
        assertThat(refused.status()).isEqualTo(Status.ABORTED);
        assertThat(refused.issues().get(0).code()).isEqualTo(Issue.LOCKS_INVALIDATED);
        assertThat(refused.issues().get(0).message()).isEqualTo("Transaction locks invalidated. Table: `/local/t`");
    }

    @Nested
    @DisplayName("that read a key into which another one then committed")
    class ThatWasOvertaken {
        private final Transaction late = bench.begin();

        private void overtake() {
            bench.commit(upsert(1, 1L, "old"));
            assertThat(late.get(bench.schema(), key(1L))).isNotNull();
            bench.commit(upsert(1, 2L, "new"));
        }

        @Test
        void stillReadsItsSnapshot() {
            overtake();
            assertThat(late.get(bench.schema(), key(1L))).containsExactly(1L, 1L, "old");
        }

        @Test
        void isAbortedAtItsNextWriteThatReads() {
            overtake();
            assertAborted(() -> late.write(bench.schema(), TableBench.write(RowWrite.Kind.INSERT, 5, 5L)));
            assertThat(late.finished()).isTrue();
        }

        @Test
        void isAbortedAtCommitAfterABlindWrite() {
            overtake();
            late.write(bench.schema(), upsert(5, 5L, null));
            assertAborted(late::commit);
            assertThat(late.finished()).isTrue();
        }

        @Test
        void commitsWhenItWritesNothing() {
            overtake();
            assertThatCode(late::commit).doesNotThrowAnyException();
        }

        @Test
        void isAbortedAtCommitWhenItHadWrittenBefore() {
            bench.commit(upsert(1, 1L, "old"));
            late.get(bench.schema(), key(1L));
            late.write(bench.schema(), upsert(5, 5L, null));
            bench.commit(upsert(1, 2L, "new"));
            assertAborted(late::commit);
            assertThat(bench.rows()).containsExactly(List.of(1L, 2L, "new"));
        }

        @Test
        void isAbortedThoughItsCommitComesMuchLater() {
            late.get(bench.schema(), key(1L));
            late.write(bench.schema(), upsert(1, 5L, null));
            bench.wall += 60_000;
            bench.commit(upsert(1, 2L, "new"));
            assertAborted(late::commit);
        }
    }

    @Nested
    @DisplayName("with a range read")
    class WithARange {
        private final Transaction reader = bench.begin();

        private void read(KeyRange range, int limit) {
            List<Object> seen = new ArrayList<>();
            reader.scan(bench.schema(), range, false, row -> {
                seen.add(row);
                return seen.size() < limit;
            });
        }

        @Test
        void meetsAConflictWhenARowAppearsInTheRange() {
            read(new KeyRange(key(1L), true, key(9L), true), 10);
            bench.commit(upsert(9, 1L, null));
            reader.write(bench.schema(), upsert(100, 1L, null));
            assertAborted(reader::commit);
        }

        @Test
        void meetsNoneOutsideTheRange() {
            read(new KeyRange(key(1L), true, key(9L), false), 10);
            bench.commit(upsert(9, 1L, null));
            reader.write(bench.schema(), upsert(100, 1L, null));
            assertThatCode(reader::commit).doesNotThrowAnyException();
        }

        @Test
        void dependsOnlyOnWhatItsLimitLetItRead() {
            bench.commit(upsert(1, 1L, null), upsert(2, 2L, null), upsert(3, 3L, null));
            read(KeyRange.ALL, 2);
            bench.commit(upsert(3, 1L, null));
            reader.write(bench.schema(), upsert(100, 1L, null));
            assertThatCode(reader::commit).doesNotThrowAnyException();
        }
    }

    @Nested
    @DisplayName("that has written")
    class ThatHasWritten {
        private final Transaction transaction = bench.begin();

        @Test
        void seesItsOwnWrites() {
            bench.commit(upsert(1, 1L, "a"), upsert(3, 3L, "c"));
            transaction.write(bench.schema(), upsert(2, 2L, "b"));
            transaction.write(bench.schema(), write(Kind.UPDATE, 1, 10));
            transaction.write(bench.schema(), write(Kind.DELETE, 3, 0));
            assertThat(bench.rows(transaction, KeyRange.ALL, true))
                    .containsExactly(List.of(2L, 2L, "b"), List.of(1L, 10L, "a"));
        }

        @Test
        void isInvisibleUntilItCommits() {
            transaction.write(bench.schema(), upsert(2, 2L, "b"));
            assertThat(bench.rows()).isEmpty();
            transaction.commit();
            assertThat(bench.rows()).hasSize(1);
        }

        @Test
        void leavesNothingWhenRolledBack() {
            transaction.write(bench.schema(), upsert(2, 2L, "b"));
            transaction.rollback();
            assertThat(bench.rows()).isEmpty();
            YdbException refused = refusal(transaction::commit);
            assertThat(refused.status()).isEqualTo(Status.NOT_FOUND);
            assertThat(refused.issues().get(0).code()).isEqualTo(Issue.TRANSACTION_NOT_FOUND);
        }

        @Test
        void doesNotConflictWithAnotherBlindWriter() {
            transaction.write(bench.schema(), upsert(2, 2L, "b"));
            bench.commit(upsert(2, 3L, "c"));
            transaction.commit();
            assertThat(bench.rows()).containsExactly(List.of(2L, 2L, "b"));
        }

        @Test
        void isAbortedWhenTheSchemaChangesUnderIt() {
            transaction.write(bench.schema(), upsert(2, 2L, "b"));
            bench.database.alterTable(TABLE, List.of(new TableSpec.Change.DropColumn("w")));
            YdbException refused = refusal(transaction::commit);
            assertThat(refused.status()).isEqualTo(Status.ABORTED);
            assertThat(refused.issues().get(0).code()).isEqualTo(Issue.SCHEME_MISMATCH);
        }

        @Test
        void isAbortedWhenItsTableIsCreatedAnew() {
            transaction.write(bench.schema(), upsert(2, 2L, "b"));
            bench.database.dropTable(TABLE, false);
            bench.table();
            assertThat(refusal(transaction::commit).status()).isEqualTo(Status.ABORTED);
            assertThat(bench.rows()).isEmpty();
        }
    }

    @Nested
    @DisplayName("with an INSERT")
    class WithInsert {
        @Test
        void isRefusedWhenTheKeyIsThere() {
            bench.commit(upsert(1, 1L, null));
            YdbException refused = refusal(() -> bench.commit(write(Kind.INSERT, 1, 2)));
            assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED);
            Issue issue = refused.issues().get(0);
            assertThat(issue.code()).isEqualTo(Issue.CONSTRAINT_VIOLATION);
            assertThat(issue.message()).isEqualTo("Constraint violated. Table: `/local/t`.");
            assertThat(issue.issues().get(0).message()).isEqualTo("Conflict with existing key.");
        }

        @Test
        void isAbortedWhenAnotherInsertedFirst() {
            Transaction second = bench.begin();
            second.write(bench.schema(), write(Kind.INSERT, 1, 2));
            bench.commit(write(Kind.INSERT, 1, 1));
            assertAborted(second::commit);
        }

        @Test
        void isRefusedForAKeyThatItInsertedItself() {
            assertThat(refusal(() -> bench.commit(write(Kind.INSERT, 1, 2), write(Kind.INSERT, 1, 2)))
                            .status())
                    .isEqualTo(Status.PRECONDITION_FAILED);
        }
    }

    @Nested
    @DisplayName("into a table with NOT NULL columns and defaults")
    class WithNotNull {
        private final TableBench strict = new TableBench()
                .table(
                        List.of("k"),
                        Column.notNull("k", Type.Primitive.INT64),
                        Column.notNull("must", Type.Primitive.INT64),
                        new Column("may", Type.Primitive.INT64, true, 7L, false),
                        new Column("number", Type.Primitive.INT64, true, null, true));

        private void commit(Kind kind, int[] columns, Object... values) {
            strict.commit(new RowWrite(kind, key(1L), columns, values));
        }

        @Test
        void isRefusedWhenAnUpsertLeavesOneOut() {
            YdbException refused = refusal(() -> commit(Kind.UPSERT, new int[] {2}, 1L));
            assertThat(refused.status()).isEqualTo(Status.BAD_REQUEST);
            assertThat(refused.issues().get(0).code()).isEqualTo(Issue.NO_COLUMN_DEFAULT);
            assertThat(refused.issues().get(0).message()).startsWith("Missing not null column in input: must");
        }

        @Test
        void isRefusedEvenWhenTheRowIsThere() {
            commit(Kind.UPSERT, new int[] {1}, 5L);
            assertThat(refusal(() -> commit(Kind.UPSERT, new int[] {2}, 1L)).status())
                    .isEqualTo(Status.BAD_REQUEST);
        }

        @Test
        void mayUpdateWithoutNamingIt() {
            commit(Kind.UPSERT, new int[] {1}, 5L);
            commit(Kind.UPDATE, new int[] {2}, 8L);
            assertThat(strict.rows()).containsExactly(List.of(1L, 5L, 8L, 1L));
        }

        @Test
        void isRefusedForNull() {
            YdbException refused = refusal(
                    () -> strict.commit(new RowWrite(Kind.UPDATE, key(1L), new int[] {1}, new Object[] {null})));
            assertThat(refused.status()).isEqualTo(Status.BAD_REQUEST);
            assertThat(refused.issues().get(0).code()).isEqualTo(Issue.BAD_COLUMN_TYPE);
        }

        @Test
        void isRefusedForANullKey() {
            assertThat(refusal(() -> strict.commit(
                                    new RowWrite(Kind.DELETE, Arrays.asList((Object) null), new int[0], new Object[0])))
                            .status())
                    .isEqualTo(Status.BAD_REQUEST);
        }

        @Test
        void fillsDefaultsAndNumbersOfNewRowsOnly() {
            commit(Kind.UPSERT, new int[] {1}, 5L);
            commit(Kind.UPDATE, new int[] {2}, 9L);
            commit(Kind.UPSERT, new int[] {1}, 6L);
            assertThat(strict.rows()).containsExactly(List.of(1L, 6L, 9L, 1L));
        }

        @Test
        void fillsThemAnewForReplace() {
            commit(Kind.UPSERT, new int[] {1, 2}, 5L, 9L);
            commit(Kind.REPLACE, new int[] {1}, 6L);
            assertThat(strict.rows()).containsExactly(List.of(1L, 6L, 7L, 2L));
        }
    }

    @Nested
    @DisplayName("that commits")
    class ThatCommits {
        @Test
        void intoOneShardSharesTheImmediatePair() {
            VirtualTimestamp first = bench.commit(upsert(1, 1L, null));
            VirtualTimestamp second = bench.commit(upsert(2, 1L, null));
            assertThat(second).isEqualTo(first);
            assertThat(first.txId()).isEqualTo(-1L);
        }

        @Test
        void intoSeveralShardsHasAPairOfItsOwn() {
            bench.database.splitShard(TABLE, key(5L));
            VirtualTimestamp first = bench.commit(upsert(1, 1L, null), upsert(7, 1L, null));
            VirtualTimestamp second = bench.commit(upsert(1, 1L, null), upsert(7, 1L, null));
            assertThat(second).isGreaterThan(first);
            assertThat(first.txId()).isNotEqualTo(-1L);
        }

        @Test
        void tellsTheListenerItsChanges() {
            List<RowChange> told = new ArrayList<>();
            bench.database.addListener((commit, changes) -> told.addAll(changes));
            bench.commit(upsert(1, 1L, "a"), write(Kind.DELETE, 1, 0));
            assertThat(told).extracting(RowChange::kind).containsExactly(Kind.UPSERT, Kind.DELETE);
            assertThat(told.get(1).before()).containsExactly(1L, 1L, "a");
            assertThat(told.get(1).after()).isNull();
        }

        @Test
        void lettingNobodySeeThePastForgetsIt() {
            for (int i = 0; i < 100; i++) {
                bench.commit(upsert(1, (long) i, null));
            }
            bench.commit(write(Kind.DELETE, 1, 0));
            assertThat(bench.database.storedKeys(TABLE)).isZero();
        }

        @Test
        void forgetsThePastOnceTheLastSnapshotIsClosed() {
            bench.commit(upsert(1, 1L, null));
            Transaction reader = bench.database.begin(Transaction.Mode.SNAPSHOT_READ_ONLY);
            reader.get(bench.schema(), key(1L));
            bench.commit(write(Kind.DELETE, 1, 0));
            assertThat(bench.database.storedKeys(TABLE)).isEqualTo(1);
            assertThat(reader.get(bench.schema(), key(1L))).containsExactly(1L, 1L, null);
            reader.commit();
            assertThat(bench.database.storedKeys(TABLE)).isZero();
        }
    }

    @Nested
    @DisplayName("in another mode")
    class InAnotherMode {
        @Test
        void readsTheLatestRowsAtEachCallWhenOnline() {
            Transaction online = bench.database.begin(Transaction.Mode.ONLINE_READ_ONLY);
            assertThat(online.get(bench.schema(), key(1L))).isNull();
            bench.commit(upsert(1, 1L, null));
            assertThat(online.get(bench.schema(), key(1L))).isNotNull();
        }

        @Test
        void mayNotWriteWhenReadOnly() {
            Transaction reader = bench.database.begin(Transaction.Mode.SNAPSHOT_READ_ONLY);
            assertThat(refusal(() -> reader.write(bench.schema(), upsert(1, 1L, null)))
                            .status())
                    .isEqualTo(Status.GENERIC_ERROR);
        }

        @Test
        void ofSnapshotReadWriteConflictsOnWritesOnly() {
            Transaction first = bench.database.begin(Transaction.Mode.SNAPSHOT_READ_WRITE);
            Transaction second = bench.database.begin(Transaction.Mode.SNAPSHOT_READ_WRITE);
            first.get(bench.schema(), key(1L));
            second.get(bench.schema(), key(1L));
            bench.commit(upsert(1, 1L, null));
            first.write(bench.schema(), upsert(2, 2L, null));
            assertThatCode(first::commit).doesNotThrowAnyException();
            second.write(bench.schema(), upsert(1, 2L, null));
            assertAborted(second::commit);
        }
    }

    @Nested
    @DisplayName("above a limit")
    class AboveALimit {
        @Test
        void isRefusedForALongValue() {
            bench.database.setLimits(Limits.YDB.withValueBytes(3));
            assertThat(refusal(() -> bench.commit(upsert(1, 1L, "four"))).status())
                    .isEqualTo(Status.GENERIC_ERROR);
        }

        @Test
        void isRefusedForALongKey() {
            bench.database.setLimits(Limits.YDB.withKeyBytes(7));
            assertThat(refusal(() -> bench.commit(upsert(1, 1L, null))).status())
                    .isEqualTo(Status.GENERIC_ERROR);
        }

        @Test
        void isRefusedForManyRows() {
            bench.database.setLimits(Limits.YDB.withTransaction(1_000, 1));
            assertThat(refusal(() -> bench.commit(upsert(1, 1L, null), upsert(2, 1L, null)))
                            .status())
                    .isEqualTo(Status.PRECONDITION_FAILED);
        }
    }

    @Nested
    @DisplayName("with another participant")
    class WithAParticipant {
        private final List<String> calls = new ArrayList<>();
        private boolean refuses;
        private final Transaction transaction = bench.begin();

        private void enlist() {
            transaction.enlist(new Transaction.Participant() {
                @Override
                public void check() {
                    calls.add("check");
                    if (refuses) {
                        throw new YdbException(Status.ABORTED, "no");
                    }
                }

                @Override
                public void apply(VirtualTimestamp commit) {
                    calls.add("apply");
                }

                @Override
                public void discard() {
                    calls.add("discard");
                }
            });
        }

        @Test
        void appliesItWithTheCommit() {
            enlist();
            transaction.commit();
            assertThat(calls).containsExactly("check", "apply");
        }

        @Test
        void commitsNothingWhenItRefuses() {
            refuses = true;
            enlist();
            transaction.write(bench.schema(), upsert(1, 1L, null));
            refusal(transaction::commit);
            assertThat(calls).containsExactly("check", "discard");
            assertThat(bench.rows()).isEmpty();
        }

        @Test
        void discardsItAtRollback() {
            enlist();
            transaction.rollback();
            assertThat(calls).containsExactly("discard");
        }
    }
}
