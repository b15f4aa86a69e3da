package io.aardappel.replicator.config;

import io.aardappel.contract.ConfigKeys;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The keys of one side. The Go program spreads them over the top level with a prefix. */
final class DatabaseSection {
    static final String SOURCE_TLS_CA_FILE = "source_tls_ca_file";
    static final String DESTINATION_TLS_CA_FILE = "destination_tls_ca_file";

    private final Section root;
    private final Section own;
    private final String connectionString;
    private final String balancer;
    private final String token;
    private final String oauth2File;
    private final String oauth2Endpoint;
    private final String tlsCaFile;

    private DatabaseSection(
            Section root,
            Section own,
            String connectionString,
            String balancer,
            String token,
            String oauth2File,
            String oauth2Endpoint,
            String tlsCaFile) {
        this.root = root;
        this.own = own;
        this.connectionString = connectionString;
        this.balancer = balancer;
        this.token = token;
        this.oauth2File = oauth2File;
        this.oauth2Endpoint = oauth2Endpoint;
        this.tlsCaFile = tlsCaFile;
    }

    static DatabaseSection source(Section root, Section own) {
        return new DatabaseSection(
                root,
                own,
                ConfigKeys.SRC_CONNECTION_STRING,
                ConfigKeys.SRC_CLIENT_BALANCER,
                ConfigKeys.SRC_STATIC_TOKEN,
                ConfigKeys.SRC_OAUTH2_FILE,
                ConfigKeys.SRC_OAUTH2_ENDPOINT,
                SOURCE_TLS_CA_FILE);
    }

    static DatabaseSection destination(Section root, Section own) {
        return new DatabaseSection(
                root,
                own,
                ConfigKeys.DST_CONNECTION_STRING,
                ConfigKeys.DST_CLIENT_BALANCER,
                ConfigKeys.DST_STATIC_TOKEN,
                ConfigKeys.DST_OAUTH2_FILE,
                ConfigKeys.DST_OAUTH2_ENDPOINT,
                DESTINATION_TLS_CA_FILE);
    }

    /** Empty after a complaint without which there is no address. */
    Optional<DatabaseConfig> read() {
        Optional<Endpoint> endpoint = ConnectionString.read(root, connectionString);
        boolean balanced = root.truth(balancer);
        Optional<Secret> secret = token();
        Optional<Path> ca = tlsCa(endpoint);
        return endpoint.map(at -> new DatabaseConfig(at, balanced, secret, ca));
    }

    private Optional<Secret> token() {
        String text = root.text(token);
        String file = root.text(oauth2File);
        String exchange = root.text(oauth2Endpoint);
        if (!file.isEmpty()) {
            root.wrong(
                    oauth2File,
                    file,
                    text.isEmpty() ? "token exchange is not supported yet" : "is given beside " + token,
                    "remove it and use " + token + ", or neither for a database without authentication");
        } else if (!exchange.isEmpty() && text.isEmpty()) {
            root.wrong(oauth2Endpoint, exchange, "token exchange is not supported yet", "remove it");
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 127)) {
            root.wrong(
                    token,
                    null,
                    "holds a blank, a line end or another character that cannot be sent",
                    "write the token alone, in double quotes");
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(new Secret(text));
    }

    private Optional<Path> tlsCa(Optional<Endpoint> endpoint) {
        String text = own.text(tlsCaFile);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (endpoint.isPresent() && !endpoint.get().tls()) {
            own.wrong(tlsCaFile, text, "is given, but " + connectionString + " is not encrypted", "use grpcs://");
        }
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException invalid) {
            own.wrong(tlsCaFile, text, "is no path: " + invalid.getReason(), "name a PEM file");
            return Optional.empty();
        }
    }
}
