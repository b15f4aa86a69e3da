package io.aardappel.replicator.app;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Preflight;
import io.aardappel.replicator.ydb.target.Descriptions;
import io.aardappel.replicator.ydb.target.DestinationTables;
import io.aardappel.replicator.ydb.transport.Calls;
import io.aardappel.replicator.ydb.transport.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import tech.ydb.core.grpc.GrpcTransport;

/** Both databases, open, and what is known of their tables. */
record Databases(GrpcTransport source, GrpcTransport destination, DestinationTables tables, Preflight preflight)
        implements AutoCloseable {
    /** A database that could not be opened now. */
    static final class UnreachableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreachableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Opens both, or none.
     *
     * @throws IOException when a certificate file cannot be read
     */
    static Databases open(ReplicatorConfig config) throws IOException, UnreachableException {
        Duration connectTimeout = config.tuning().get(Tuning.CONNECT_TIMEOUT);
        Connection from = Side.connection(config.source(), connectTimeout);
        Connection to = Side.connection(config.destination(), connectTimeout);
        GrpcTransport source = open("source", from);
        try {
            GrpcTransport destination = open("destination", to);
            return of(config, source, destination);
        } catch (UnreachableException unreachable) {
            source.close();
            throw unreachable;
        }
    }

    private static GrpcTransport open(String side, Connection connection) throws UnreachableException {
        try {
            return connection.open();
        } catch (RuntimeException refused) {
            throw new UnreachableException(
                    "the " + side + " database " + connection + " cannot be reached: " + refused.getMessage()
                            + ". Check address, network, TLS and token",
                    refused);
        }
    }

    private static Databases of(ReplicatorConfig config, GrpcTransport source, GrpcTransport destination) {
        Duration callTimeout = config.tuning().get(Tuning.CALL_TIMEOUT);
        Calls calls = new Calls(destination);
        DestinationTables tables =
                new DestinationTables(new Descriptions(calls, callTimeout), destination.getDatabase());
        Preflight preflight = new Preflight(new Calls(source), calls, tables, config.heartbeat(), callTimeout);
        return new Databases(source, destination, tables, preflight);
    }

    /** Everything that does not fit, in the order of the streams. Waits. */
    List<Finding> check(ReplicatorConfig config) {
        return preflight.check(streams(config), TableName.parse(config.stateTablePath()));
    }

    /** The configured streams by absolute paths, so that another spelling of the same stream is the same stream. */
    static List<StreamSpec> streams(ReplicatorConfig config) {
        return config.streams().stream()
                .map(stream ->
                        new StreamSpec(stream.sourceTopicPath(), stream.consumer(), stream.destinationTablePath()))
                .toList();
    }

    @Override
    public void close() {
        source.close();
        destination.close();
    }
}
