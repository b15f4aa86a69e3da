package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.value.InvalidValueException;
import io.aardappel.emulator.grpc.value.TypeCodec;
import io.aardappel.emulator.grpc.value.ValueDecoder;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.QueryEngine.Compiled;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;

/** What the table and the query service have in common: limits, parameters, and queries inside transactions of a session. */
final class Queries {
    private final ServerContext context;
    private final ServerLimits limits;
    private final Commits commits;

    Queries(ServerContext context) {
        this.context = context;
        this.limits = context.limits();
        this.commits = new Commits(context);
    }

    /** Runs something as the one active request of a session, unless a fault takes the session away first. */
    <T extends @Nullable Object> T inSession(String sessionId, Site site, Function<Session, T> request) {
        if (context.faults().strike(Fault.BAD_SESSION, site) != null) {
            context.sessions().delete(sessionId);
        }
        if (context.faults().strike(Fault.SESSION_CLOSE, site) != null) {
            ServerHints.closeSession();
        }
        return context.sessions().use(sessionId, request);
    }

    /** Where the tables and topics are that a text names. */
    Site site(Database database, Operation operation, String text) {
        return Site.about(database.path(), operation, () -> named(database, text));
    }

    private Set<String> named(Database database, String text) {
        try {
            return compile(database, text).paths();
        } catch (YdbException unreadable) {
            return Set.of(); // a text that cannot be read does nothing to anything
        }
    }

    /** Where the tables and topics are that the queries of a transaction named. */
    Site site(Database database, Operation operation, OpenTransaction transaction) {
        return Site.about(database.path(), operation, transaction::paths);
    }

    /**
     * Where a table is.
     *
     * @param path as a request has it; empty is refused later
     */
    static Site siteOf(Database database, Operation operation, String path) {
        return path.isEmpty()
                ? Site.of(database.path(), operation)
                : Site.at(database.path(), operation, Databases.absolute(database, path));
    }

    /** Compiles a text that is not too long. */
    Compiled compile(Database database, String text) {
        if (text.isBlank()) {
            throw new YdbException(Status.BAD_REQUEST, "Query text is empty");
        }
        // Only a text near the limit needs its bytes counted.
        if (text.length() > limits.queryTextBytes() / 4) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > limits.queryTextBytes()) {
                throw new YdbException(
                        Status.BAD_REQUEST,
                        "Query text size exceeds limit (" + bytes + "b > " + limits.queryTextBytes() + "b)");
            }
        }
        return context.engine().compile(database.path(), text);
    }

    /** Notes on a query that ran all the same. */
    static List<IssueMessage> warnings(Compiled compiled) {
        return StatusCodec.warnings(compiled.warnings());
    }

    /** Reads parameters; one that cannot be read is named in the refusal. */
    Map<String, TypedValue> parameters(Map<String, ValueProtos.TypedValue> wire) {
        long bytes = 0;
        Map<String, TypedValue> parameters = new LinkedHashMap<>();
        for (Map.Entry<String, ValueProtos.TypedValue> each : wire.entrySet()) {
            bytes += each.getValue().getSerializedSize();
            if (bytes > limits.parametersBytes()) {
                throw new YdbException(
                        Status.BAD_REQUEST, "Parameters size exceeds limit (" + limits.parametersBytes() + "b)");
            }
            parameters.put(each.getKey(), typedValue("Parameter " + each.getKey(), each.getValue()));
        }
        return parameters;
    }

    /** Reads a typed value; {@code what} names it in the refusal. */
    static TypedValue typedValue(String what, ValueProtos.TypedValue wire) {
        try {
            Type type = TypeCodec.decode(wire.getType());
            return new TypedValue(type, ValueDecoder.of(type).decode(wire.getValue()));
        } catch (InvalidValueException invalid) {
            throw new YdbException(Status.BAD_REQUEST, what + ": " + invalid.getMessage());
        }
    }

    /** Does something in an open transaction of the session. Any failure ends the transaction, as YDB does. */
    <A> A inTransaction(Session session, OpenTransaction transaction, Supplier<A> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error failure) {
            abandon(session, transaction);
            throw failure;
        }
    }

    /** Runs a text of statements on data. */
    List<ResultSet> run(
            OpenTransaction transaction, String text, Compiled compiled, Map<String, TypedValue> parameters) {
        if (compiled.isScheme()) {
            throw new YdbException(Status.GENERIC_ERROR, "Scheme operations cannot be executed inside transaction");
        }
        transaction.runs(compiled.paths());
        Transaction asUser = GuardedTransaction.of(
                transaction.transaction(),
                context.accounts().permissions(),
                CallContext.current().user());
        return compiled.execute(asUser, parameters);
    }

    /** Commits a transaction of a session, which then no longer knows it. */
    void commit(Session session, OpenTransaction transaction) {
        Site site = site(session.database(), Operation.COMMIT, transaction);
        session.detach(transaction);
        commits.commit(transaction.transaction(), site);
    }

    /** Rolls back a transaction of a session, which then no longer knows it. One that began to commit is left alone. */
    void abandon(Session session, OpenTransaction transaction) {
        if (session.detach(transaction)) {
            transaction.rollback();
        }
    }
}
