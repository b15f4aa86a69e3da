package io.aardappel.replicator.app;

import io.aardappel.replicator.config.DatabaseConfig;
import io.aardappel.replicator.config.Endpoint;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Secret;
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

/** From the configuration of one side to what opens it. */
final class Side {
    /**
     * Reads the certificate file, opens nothing.
     *
     * @throws IOException when the certificate file cannot be read; the message names it
     */
    static Doorstep.Side source(ReplicatorConfig config) throws IOException {
        Connection connection = connection(config.source(), config.tuning().get(Tuning.CONNECT_TIMEOUT));
        return new Doorstep.Side("source", "src_connection_string", "src_static_token", connection);
    }

    /**
     * Reads the certificate file, opens nothing.
     *
     * @throws IOException when the certificate file cannot be read; the message names it
     */
    static Doorstep.Side destination(ReplicatorConfig config) throws IOException {
        Connection connection = connection(config.destination(), config.tuning().get(Tuning.CONNECT_TIMEOUT));
        return new Doorstep.Side("destination", "dst_connection_string", "dst_static_token", connection);
    }

    private static Connection connection(DatabaseConfig config, Duration connectTimeout) throws IOException {
        Endpoint endpoint = config.endpoint();
        return new Connection(
                new Address(endpoint.tls(), endpoint.host(), endpoint.port(), endpoint.database()),
                config.balancer(),
                config.token().map(Secret::reveal).map(Connection::staticToken).orElseGet(Connection::anonymous),
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

    private Side() {}
}
