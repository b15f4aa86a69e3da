package io.aardappel.replicator.app;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Connection;
import io.aardappel.access.ydb.TrustedAuthorities;
import io.aardappel.contract.ConfigKeys;
import io.aardappel.replicator.config.Authentication;
import io.aardappel.replicator.config.DatabaseConfig;
import io.aardappel.replicator.config.Endpoint;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.preflight.Doorstep;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One side of the replication, and the way from its configuration to what opens it.
 *
 * @param label as people are told of it
 */
record Side(
        String label,
        String connectionString,
        String staticToken,
        String oauth2File,
        String oauth2Endpoint,
        String tokenFile,
        String passwordFile) {
    /** The Go program's variable with the file of further certificate authorities, for both sides. */
    private static final String AUTHORITIES_VARIABLE = "YDB_SSL_ROOT_CERTIFICATES_FILE";

    static final Side SOURCE = new Side(
            "source",
            ConfigKeys.SRC_CONNECTION_STRING,
            ConfigKeys.SRC_STATIC_TOKEN,
            ConfigKeys.SRC_OAUTH2_FILE,
            ConfigKeys.SRC_OAUTH2_ENDPOINT,
            "replicator.source_token_file",
            "replicator.source_password_file");
    static final Side DESTINATION = new Side(
            "destination",
            ConfigKeys.DST_CONNECTION_STRING,
            ConfigKeys.DST_STATIC_TOKEN,
            ConfigKeys.DST_OAUTH2_FILE,
            ConfigKeys.DST_OAUTH2_ENDPOINT,
            "replicator.destination_token_file",
            "replicator.destination_password_file");

    /**
     * Reads the certificate file, opens nothing.
     *
     * @throws IOException when the certificate file cannot be used; the message names it
     */
    static Doorstep.Side source(ReplicatorConfig config, Ticket ticket) throws IOException {
        return SOURCE.with(config.source(), ticket, config.tuning().get(Tuning.CONNECT_TIMEOUT));
    }

    /**
     * Reads the certificate file, opens nothing.
     *
     * @throws IOException when the certificate file cannot be used; the message names it
     */
    static Doorstep.Side destination(ReplicatorConfig config, Ticket ticket) throws IOException {
        return DESTINATION.with(config.destination(), ticket, config.tuning().get(Tuning.CONNECT_TIMEOUT));
    }

    private Doorstep.Side with(DatabaseConfig config, Ticket ticket, Duration connectTimeout) throws IOException {
        return new Doorstep.Side(
                label,
                connectionString,
                ticketKey(config.authentication()),
                connection(config, ticket, connectTimeout));
    }

    private String ticketKey(Authentication authentication) {
        if (authentication instanceof Authentication.TokenExchange) {
            return oauth2File;
        }
        if (authentication instanceof Authentication.TokenFile) {
            return tokenFile;
        }
        return authentication instanceof Authentication.Login ? passwordFile : staticToken;
    }

    static Connection connection(DatabaseConfig config, Ticket ticket, Duration connectTimeout) throws IOException {
        Endpoint endpoint = config.endpoint();
        return new Connection(
                new Address(endpoint.tls(), endpoint.host(), endpoint.port(), endpoint.database()),
                config.balancer(),
                ticket,
                authorities(config),
                connectTimeout);
    }

    /** Null when none are given. */
    static @Nullable TrustedAuthorities authorities(DatabaseConfig config) throws IOException {
        String variable = System.getenv().getOrDefault(AUTHORITIES_VARIABLE, "");
        Optional<Path> file = config.tlsCa();
        if (file.isEmpty() && config.endpoint().tls() && !variable.isEmpty()) {
            file = Optional.of(Path.of(variable));
        }
        return file.isPresent() ? TrustedAuthorities.in(file.get()) : null;
    }
}
