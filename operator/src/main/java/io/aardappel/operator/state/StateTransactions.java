package io.aardappel.operator.state;

import io.aardappel.contract.TableName;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryStream;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.settings.ExecuteQuerySettings;
import tech.ydb.query.settings.RollbackTransactionSettings;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

/**
 * Serializable transactions over one connection, begun anew until one is known to be done or the time is up. One thread only.
 */
final class StateTransactions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateTransactions.class);

    private static final Duration CALL_MAX = Duration.ofSeconds(5);
    /** How much later than the call's own limit its answer is given up. */
    private static final Duration CALL_GRACE = Duration.ofSeconds(1);

    private static final Duration PAUSE_MIN = Duration.ofMillis(20);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);
    /** One for the transaction, one for looking beside it. */
    private static final int SESSIONS = 2;

    private final GrpcTransport transport;
    private final QueryClient client;
    private final long end;

    /** What is read and written in a transaction. Called again when that is begun anew, so it decides by what it reads alone. */
    @FunctionalInterface
    interface Body {
        /** Returns without a commit where there is nothing to do. */
        void in(Open transaction) throws CallFailedException;
    }

    /**
     * Works over this connection, which is closed with it.
     *
     * @param within how long all calls together may take
     */
    StateTransactions(GrpcTransport transport, Duration within) {
        this.transport = transport;
        this.client =
                QueryClient.newClient(transport).sessionPoolMaxSize(SESSIONS).build();
        this.end = System.nanoTime() + within.toNanos();
    }

    /**
     * Runs one transaction to its end. After an answer that leaves open whether it was committed, the next try reads what is there:
     * it finds its work done, or overwrites what the open one has read, after which the server refuses that however late it comes.
     *
     * @throws CallFailedException when the destination refuses it, or the time is up and it is not known to be done
     */
    void run(Body body) throws CallFailedException {
        Duration pause = PAUSE_MIN;
        while (true) {
            try {
                once(body);
                return;
            } catch (CallFailedException failed) {
                if (!failed.isPassing() || left().compareTo(pause) <= 0) {
                    throw failed;
                }
                LOG.atDebug().log("the transaction is begun anew: {}", failed.getMessage());
            }
            LockSupport.parkNanos(pause.toNanos());
            pause = min(pause.multipliedBy(2), PAUSE_MAX);
        }
    }

    private void once(Body body) throws CallFailedException {
        try (QuerySession session = session()) {
            QueryTransaction transaction = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
            try {
                body.in(new Open(transaction));
            } finally {
                if (transaction.isActive()) {
                    rollback(transaction);
                }
            }
        }
    }

    /** Best effort: what is not committed takes no effect in any case. */
    private static void rollback(QueryTransaction transaction) {
        RollbackTransactionSettings limited = RollbackTransactionSettings.newBuilder()
                .withRequestTimeout(CALL_GRACE)
                .build();
        try {
            Status status = join(transaction.rollback(limited));
            LOG.atDebug().log("rolled back: {}", status.getCode());
        } catch (CallFailedException failed) {
            LOG.atDebug().log("not rolled back, the server will do it: {}", failed.getMessage());
        }
    }

    /** Whether a table is there and may be read, asked beside the transaction. */
    boolean isThere(TableName table) throws CallFailedException {
        try (QuerySession session = session()) {
            Result<QueryReader> answer = answer(session.createQuery(
                    "SELECT id FROM " + table.quoted() + " WHERE id = $id LIMIT 1;",
                    TxMode.SNAPSHOT_RO,
                    Params.of("$id", PrimitiveValue.newText("")),
                    limited()));
            if (answer.getStatus().getCode() == StatusCode.SCHEME_ERROR) {
                return false;
            }
            valueOf(answer);
            return true;
        }
    }

    /** A transaction that was begun. */
    final class Open {
        private final QueryTransaction transaction;

        private Open(QueryTransaction transaction) {
            this.transaction = transaction;
        }

        /** Reads as of the transaction's first call, and writes what no one sees before the commit. */
        QueryReader execute(String text, Params params) throws CallFailedException {
            return valueOf(answer(transaction.createQuery(text, false, params, limited())));
        }

        /** Writes and commits: all that the transaction wrote is done, or nothing. */
        void commit(String text, Params params) throws CallFailedException {
            valueOf(answer(transaction.createQuery(text, true, params, limited())));
        }
    }

    private QuerySession session() throws CallFailedException {
        return valueOf(join(client.createSession(limit())));
    }

    private ExecuteQuerySettings limited() throws CallFailedException {
        return ExecuteQuerySettings.newBuilder().withRequestTimeout(limit()).build();
    }

    /** Never zero, which would be no limit. */
    private Duration limit() throws CallFailedException {
        Duration left = left();
        if (left.isZero()) {
            throw new CallFailedException(Status.of(StatusCode.CLIENT_DEADLINE_EXPIRED));
        }
        return min(left, CALL_MAX);
    }

    private static Result<QueryReader> answer(QueryStream stream) throws CallFailedException {
        return join(QueryReader.readFrom(stream));
    }

    private static <T> T join(CompletableFuture<T> call) throws CallFailedException {
        try {
            return call.get(CALL_MAX.plus(CALL_GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new CallFailedException(
                    Status.of(StatusCode.CLIENT_DEADLINE_EXCEEDED).withCause(late));
        } catch (ExecutionException broken) {
            throw new CallFailedException(
                    Status.of(StatusCode.CLIENT_INTERNAL_ERROR).withCause(broken.getCause()));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new CallFailedException(Status.of(StatusCode.CLIENT_CANCELLED).withCause(ended));
        }
    }

    private static <T> T valueOf(Result<T> answer) throws CallFailedException {
        if (!answer.isSuccess()) {
            throw new CallFailedException(answer.getStatus());
        }
        return answer.getValue();
    }

    /** Nothing is left for a thread that is asked to end. */
    private Duration left() {
        return Thread.currentThread().isInterrupted()
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(end - System.nanoTime(), 0));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}
