package io.aardappel.e2e.world;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tech.ydb.auth.AuthRpcProvider;
import tech.ydb.auth.NopAuthProvider;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.core.grpc.GrpcTransportBuilder;
import tech.ydb.core.impl.auth.GrpcAuthRpc;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;

/** One database through the SDK, as any application uses it. Thread-safe. */
public final class Database implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Retries included. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

    private static final int SESSIONS = 8;

    private final GrpcTransport transport;
    private final QueryClient client;
    private final SessionRetryContext context;

    /** Connects at once; waits for the first discovery. */
    public Database(String connectionString) {
        this(connectionString, NopAuthProvider.INSTANCE);
    }

    /** The same for a database that asks for a ticket. */
    public Database(String connectionString, AuthRpcProvider<? super GrpcAuthRpc> tickets) {
        this(GrpcTransport.forConnectionString(connectionString), tickets);
    }

    /**
     * The same over TLS.
     *
     * @param authority that is trusted, as PEM
     */
    public Database(String connectionString, AuthRpcProvider<? super GrpcAuthRpc> tickets, String authority) {
        this(
                GrpcTransport.forConnectionString(connectionString)
                        .withSecureConnection(authority.getBytes(StandardCharsets.US_ASCII)),
                tickets);
    }

    private Database(GrpcTransportBuilder builder, AuthRpcProvider<? super GrpcAuthRpc> tickets) {
        transport = builder.withConnectTimeout(CONNECT_TIMEOUT)
                .withAuthProvider(tickets)
                .build();
        client = QueryClient.newClient(transport).sessionPoolMaxSize(SESSIONS).build();
        context = SessionRetryContext.create(client).idempotent(true).build();
    }

    /**
     * Runs a statement that defines something.
     *
     * @throws RuntimeException the SDK's, when it is refused
     */
    public void define(String statement) {
        context.supplyResult(session -> QueryReader.readFrom(session.createQuery(statement, TxMode.NONE)))
                .orTimeout(CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join()
                .getStatus()
                .expectSuccess("refused: " + statement);
    }

    /** Runs statements in one serializable transaction. */
    public void write(String statements, Params params) {
        context.supplyResult(session ->
                        QueryReader.readFrom(session.createQuery(statements, TxMode.SERIALIZABLE_RW, params)))
                .orTimeout(CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join()
                .getStatus()
                .expectSuccess("refused: " + statements);
    }

    /** Reads one result set in a snapshot of its own. */
    public List<Row> read(String select) {
        QueryReader reader = context.supplyResult(
                        session -> QueryReader.readFrom(session.createQuery(select, TxMode.SNAPSHOT_RO)))
                .orTimeout(CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join()
                .getValue();
        List<Row> rows = new ArrayList<>();
        for (ResultSetReader part : reader) {
            while (part.next()) {
                rows.add(Row.of(part));
            }
        }
        return rows;
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}
