package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TransactionTopics;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A transaction over topics")
class TopicTransactionTest {
    private static final String CONSUMER = "c";

    private final TopicServer server = new TopicServer();
    private Topic topic;
    private Transaction transaction;
    private TransactionTopics part;

    @BeforeEach
    void begin() {
        topic = server.create("t", 1, CONSUMER);
        TopicServer.fill(topic, 0, 0, 5);
        transaction = server.database.begin(Transaction.Mode.SERIALIZABLE_READ_WRITE);
        part = new TransactionTopics(System::currentTimeMillis);
        transaction.enlist(part);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Nested
    @DisplayName("that writes")
    class ThatWrites {
        @BeforeEach
        void write() {
            part.write(topic, 0, List.of(TopicServer.message("w", 1, "x")));
        }

        @Test
        void showsNothingBeforeItsCommit() {
            assertThat(topic.partition(0).end()).isEqualTo(5);
        }

        @Test
        void showsItsMessagesAfterIt() {
            transaction.commit();
            assertThat(topic.partition(0).end()).isEqualTo(6);
        }

        @Test
        void leavesNothingWhenItIsRolledBack() {
            transaction.rollback();
            assertThat(topic.partition(0).end()).isEqualTo(5);
        }

        @Test
        void isAbortedWhenItsPartitionWasSplit() {
            topic.split(0, null);
            assertAborted();
        }
    }

    @Nested
    @DisplayName("that commits offsets")
    class ThatCommitsOffsets {
        @Test
        void movesThemAtItsCommit() {
            part.commit(topic, CONSUMER, 0, 0, 2);
            part.commit(topic, CONSUMER, 0, 2, 4);
            assertThat(topic.committed(CONSUMER, 0)).isZero();
            transaction.commit();
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(4);
        }

        @Test
        void isAbortedWhenTheRangeDoesNotBeginAtTheCommittedOffset() {
            part.commit(topic, CONSUMER, 0, 1, 2);
            assertAborted();
        }

        @Test
        void isAbortedWhenAReaderCommittedMeanwhile() {
            part.commit(topic, CONSUMER, 0, 0, 2);
            topic.commit(CONSUMER, 0, 1);
            assertAborted();
        }

        @Test
        void isAbortedBeyondTheEnd() {
            part.commit(topic, CONSUMER, 0, 0, 9);
            assertAborted();
        }

        @Test
        void letsARunningReaderGoOnFromThere() {
            ReadClient reader = server.reader().open(CONSUMER, "t").credit(100_000);
            long session = reader.startedId();
            reader.confirm(session);
            reader.texts(5);
            part.commit(topic, CONSUMER, 0, 0, 3);
            transaction.commit();
            reader.silent();
            assertThat(reader.commit(session, 3, 5).committed()).isEqualTo(5);
        }
    }

    private void assertAborted() {
        assertThatThrownBy(transaction::commit)
                .isInstanceOfSatisfying(
                        YdbException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(Status.ABORTED));
    }
}
