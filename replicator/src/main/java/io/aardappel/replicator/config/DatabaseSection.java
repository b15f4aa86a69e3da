package io.aardappel.replicator.config;

import io.aardappel.contract.ConfigKeys;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** The keys of one side. The Go program spreads them over the top level with a prefix. */
final class DatabaseSection {
    static final String SOURCE_TOKEN_FILE = "source_token_file";
    static final String DESTINATION_TOKEN_FILE = "destination_token_file";
    static final String SOURCE_USER = "source_user";
    static final String SOURCE_PASSWORD_FILE = "source_password_file";
    static final String DESTINATION_USER = "destination_user";
    static final String DESTINATION_PASSWORD_FILE = "destination_password_file";
    static final String SOURCE_TLS_CA_FILE = "source_tls_ca_file";
    static final String DESTINATION_TLS_CA_FILE = "destination_tls_ca_file";

    private static final Pattern HTTP_ADDRESS = Pattern.compile("(?i)https?://[^\\s/]+(/\\S*)?");

    private final Section root;
    private final Section own;
    private final String connectionString;
    private final String balancer;
    private final String token;
    private final String oauth2File;
    private final String oauth2Endpoint;
    private final String tokenFile;
    private final String user;
    private final String passwordFile;
    private final String tlsCaFile;

    private DatabaseSection(
            Section root,
            Section own,
            String connectionString,
            String balancer,
            String token,
            String oauth2File,
            String oauth2Endpoint,
            String tokenFile,
            String user,
            String passwordFile,
            String tlsCaFile) {
        this.root = root;
        this.own = own;
        this.connectionString = connectionString;
        this.balancer = balancer;
        this.token = token;
        this.oauth2File = oauth2File;
        this.oauth2Endpoint = oauth2Endpoint;
        this.tokenFile = tokenFile;
        this.user = user;
        this.passwordFile = passwordFile;
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
                SOURCE_TOKEN_FILE,
                SOURCE_USER,
                SOURCE_PASSWORD_FILE,
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
                DESTINATION_TOKEN_FILE,
                DESTINATION_USER,
                DESTINATION_PASSWORD_FILE,
                DESTINATION_TLS_CA_FILE);
    }

    /** Empty after a complaint without which there is no address. */
    Optional<DatabaseConfig> read() {
        Optional<Endpoint> endpoint = ConnectionString.read(root, connectionString);
        boolean balanced = root.truth(balancer);
        Authentication authentication = authentication();
        Optional<Path> ca = tlsCa(endpoint);
        return endpoint.map(at -> new DatabaseConfig(at, balanced, authentication, ca));
    }

    private Authentication authentication() {
        String text = root.text(token);
        String file = root.text(oauth2File);
        String exchange = root.text(oauth2Endpoint);
        String others = text.isEmpty() ? oauth2File : token;
        boolean first = !text.isEmpty() || !file.isEmpty();
        Optional<Authentication> login = login();
        if (login.isPresent() && first) {
            own.wrong(user, own.text(user), "is given beside " + others, "keep one of the two");
        }
        Optional<Authentication> inFile = tokenFile();
        if (inFile.isPresent() && (first || login.isPresent())) {
            String beside = first ? others : user;
            own.wrong(tokenFile, own.text(tokenFile), "is given beside " + beside, "keep one of the two");
        }
        if (!text.isEmpty()) {
            if (!file.isEmpty()) {
                root.wrong(oauth2File, file, "is given beside " + token, "keep one of the two");
            }
            return staticToken(text);
        }
        if (!file.isEmpty()) {
            return exchange(file, exchange);
        }
        if (!exchange.isEmpty()) {
            root.wrong(
                    oauth2Endpoint, null, "is given without " + oauth2File, "name the credential file, or remove it");
        }
        return inFile.or(() -> login).orElseGet(Authentication.Anonymous::new);
    }

    private Optional<Authentication> tokenFile() {
        String file = own.text(tokenFile);
        return file.isEmpty()
                ? Optional.empty()
                : path(own, tokenFile, file, "name a file that holds the token alone")
                        .map(Authentication.TokenFile::new);
    }

    /** Empty when neither of its keys is given. */
    private Optional<Authentication> login() {
        String name = own.text(user);
        String file = own.text(passwordFile);
        if (name.isEmpty() && !file.isEmpty()) {
            own.wrong(passwordFile, file, "is given without " + user, "name the user, or remove it");
        }
        if (!name.isEmpty() && file.isEmpty()) {
            own.wrong(user, name, "is given without " + passwordFile, "name a file that holds the password alone");
        }
        return name.isEmpty()
                ? Optional.empty()
                : path(own, passwordFile, file, "name a file that holds the password alone")
                        .map(path -> new Authentication.Login(name, path));
    }

    private Authentication staticToken(String text) {
        if (!text.chars().allMatch(c -> c > ' ' && c < 127)) {
            root.wrong(
                    token,
                    null,
                    "holds a blank, a line end or another character that cannot be sent",
                    "write the token alone, in double quotes");
        }
        return new Authentication.StaticToken(new Secret(text));
    }

    /** The endpoint stays out of messages: an address may hold a password. */
    private Authentication exchange(String file, String endpoint) {
        if (!endpoint.isEmpty() && !HTTP_ADDRESS.matcher(endpoint).matches()) {
            root.wrong(
                    oauth2Endpoint,
                    null,
                    "is no http:// or https:// address",
                    "write the address of the token exchange, such as https://sts.example/token");
        }
        return path(root, oauth2File, file, "name the JSON file with the credentials")
                .<Authentication>map(path -> new Authentication.TokenExchange(
                        path, endpoint.isEmpty() ? Optional.empty() : Optional.of(endpoint)))
                .orElseGet(Authentication.Anonymous::new);
    }

    private static Optional<Path> path(Section section, String key, String text, String remedy) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException invalid) {
            section.wrong(key, text, "is no path: " + invalid.getReason(), remedy);
            return Optional.empty();
        }
    }

    private Optional<Path> tlsCa(Optional<Endpoint> endpoint) {
        String text = own.text(tlsCaFile);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (endpoint.isPresent() && !endpoint.get().tls()) {
            own.wrong(tlsCaFile, text, "is given, but " + connectionString + " is not encrypted", "use grpcs://");
        }
        return path(own, tlsCaFile, text, "name a PEM file");
    }
}
