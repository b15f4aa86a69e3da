package io.aardappel.replicator.app;

import io.aardappel.contract.ConfigKeys;
import io.aardappel.replicator.auth.Ticket;
import io.aardappel.replicator.config.Authentication;
import io.aardappel.replicator.config.DatabaseConfig;
import io.aardappel.replicator.config.Endpoint;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.preflight.Doorstep;
import io.aardappel.replicator.ydb.transport.Address;
import io.aardappel.replicator.ydb.transport.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One side of the replication, and the way from its configuration to what opens it.
 *
 * @param label as people are told of it
 */
record Side(String label, String connectionString, String staticToken, String oauth2File, String oauth2Endpoint) {
    static final Side SOURCE = new Side(
            "source",
            ConfigKeys.SRC_CONNECTION_STRING,
            ConfigKeys.SRC_STATIC_TOKEN,
            ConfigKeys.SRC_OAUTH2_FILE,
            ConfigKeys.SRC_OAUTH2_ENDPOINT);
    static final Side DESTINATION = new Side(
            "destination",
            ConfigKeys.DST_CONNECTION_STRING,
            ConfigKeys.DST_STATIC_TOKEN,
            ConfigKeys.DST_OAUTH2_FILE,
            ConfigKeys.DST_OAUTH2_ENDPOINT);

    /**
     * Reads the certificate file, opens nothing.
     *
     * @throws IOException when the certificate file cannot be read; the message names it
     */
    static Doorstep.Side source(ReplicatorConfig config, Ticket ticket) throws IOException {
        return SOURCE.with(config.source(), ticket, config.tuning().get(Tuning.CONNECT_TIMEOUT));
    }

    /**
     * Reads the certificate file, opens nothing.
     *
     * @throws IOException when the certificate file cannot be read; the message names it
     */
    static Doorstep.Side destination(ReplicatorConfig config, Ticket ticket) throws IOException {
        return DESTINATION.with(config.destination(), ticket, config.tuning().get(Tuning.CONNECT_TIMEOUT));
    }

    private Doorstep.Side with(DatabaseConfig config, Ticket ticket, Duration connectTimeout) throws IOException {
        boolean exchanged = config.authentication() instanceof Authentication.TokenExchange;
        return new Doorstep.Side(
                label,
                connectionString,
                exchanged ? oauth2File : staticToken,
                connection(config, ticket, connectTimeout));
    }

    private static Connection connection(DatabaseConfig config, Ticket ticket, Duration connectTimeout)
            throws IOException {
        Endpoint endpoint = config.endpoint();
        return new Connection(
                new Address(endpoint.tls(), endpoint.host(), endpoint.port(), endpoint.database()),
                config.balancer(),
                ticket,
                authorities(config.tlsCa()),
                connectTimeout);
    }

    private static byte @Nullable [] authorities(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return null;
        }
        try {
            return Files.readAllBytes(file.get());
        } catch (IOException unreadable) {
            throw new IOException("the certificate file " + file.get() + " cannot be read", unreadable);
        }
    }
}
