package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.grpc.Sessions;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.topic.TransactionTopics;
import java.util.Map;
import java.util.WeakHashMap;
import tech.ydb.proto.topic.YdbTopic.TransactionIdentity;

/** What running transactions do to topics. Thread-safe. */
final class TopicTransactions {
    private final Sessions sessions;
    /** Weak: forgotten with its transaction. */
    private final Map<Transaction, TransactionTopics> parts = new WeakHashMap<>();

    TopicTransactions(Sessions sessions) {
        this.sessions = sessions;
    }

    /** The topics' part in the transaction; NOT_FOUND when the session has none of that id. */
    TransactionTopics part(TransactionIdentity identity) {
        if (identity.getId().isEmpty() || identity.getSession().isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "tx must name the transaction and its session");
        }
        Transaction transaction = sessions.get(identity.getSession())
                .transaction(identity.getId())
                .transaction();
        synchronized (parts) {
            return parts.computeIfAbsent(transaction, TopicTransactions::enlisted);
        }
    }

    private static TransactionTopics enlisted(Transaction transaction) {
        TransactionTopics part = new TransactionTopics(System::currentTimeMillis);
        transaction.enlist(part);
        return part;
    }
}
