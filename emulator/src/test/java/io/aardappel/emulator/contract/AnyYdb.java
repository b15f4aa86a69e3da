package io.aardappel.emulator.contract;

import io.aardappel.emulator.YdbEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.topic.TopicClient;

/** A YDB to hold to the contract: the one that the environment names, else an emulator of its own. */
final class AnyYdb implements AutoCloseable {
    private final @Nullable YdbEmulator emulator;
    private final GrpcTransport transport;
    private final QueryClient queries;
    private final TableClient tables;
    private final TopicClient topics;
    private final SchemeClient scheme;
    /** Makes paths of one run its own, so that the suite can run twice against one database. */
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    private AnyYdb(@Nullable YdbEmulator emulator, String connectionString) {
        this.emulator = emulator;
        this.transport = GrpcTransport.forConnectionString(connectionString).build();
        this.queries = QueryClient.newClient(transport).build();
        this.tables = TableClient.newClient(transport).build();
        this.topics = TopicClient.newClient(transport).build();
        this.scheme = SchemeClient.newClient(transport).build();
    }

    static AnyYdb open() throws Exception {
        String endpoint = System.getenv("YDB_ENDPOINT");
        if (endpoint != null && !endpoint.isEmpty()) {
            String database = System.getenv().getOrDefault("YDB_DATABASE", "/local");
            return new AnyYdb(null, "grpc://" + endpoint + "/?database=" + database);
        }
        YdbEmulator emulator = YdbEmulator.builder().database("/local").start();
        return new AnyYdb(emulator, emulator.connectionString("/local"));
    }

    String database() {
        return transport.getDatabase();
    }

    /** A name that nobody else uses. */
    String name(String what) {
        return "contract_" + what + "_" + run;
    }

    TopicClient topics() {
        return topics;
    }

    TableClient tables() {
        return tables;
    }

    SchemeClient scheme() {
        return scheme;
    }

    QuerySession session() {
        return queries.createSession(Duration.ofSeconds(10)).join().getValue();
    }

    /** Runs text in a transaction of its own (schema statements in none); the status says how it went. */
    Status run(String text) {
        boolean schema = text.startsWith("CREATE") || text.startsWith("ALTER") || text.startsWith("DROP");
        try (QuerySession session = session()) {
            return session.createQuery(text, schema ? TxMode.NONE : TxMode.SERIALIZABLE_RW)
                    .execute()
                    .join()
                    .getStatus();
        }
    }

    /** Runs text that must succeed. */
    void must(String text) {
        run(text).expectSuccess(text);
    }

    /** Rows of the first result set, each value as text. */
    List<List<String>> select(String text) {
        return select(text, Params.empty());
    }

    List<List<String>> select(String text, Params params) {
        try (QuerySession session = session()) {
            Result<QueryReader> result = QueryReader.readFrom(session.createQuery(text, TxMode.SERIALIZABLE_RW, params))
                    .join();
            result.getStatus().expectSuccess(text);
            return rows(result.getValue().getResultSet(0));
        }
    }

    static List<List<String>> rows(ResultSetReader set) {
        List<List<String>> rows = new ArrayList<>();
        while (set.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 0; i < set.getColumnCount(); i++) {
                row.add(String.valueOf(set.getColumn(i).getValue()));
            }
            rows.add(row);
        }
        return rows;
    }

    @Override
    public void close() {
        queries.close();
        tables.close();
        topics.close();
        scheme.close();
        transport.close();
        if (emulator != null) {
            emulator.close();
        }
    }
}
