package io.aardappel.replicator.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads connection strings the way the Go SDK does. Not by {@code java.net.URI}, which takes no host name with an
 * underscore, as container networks have them.
 */
final class ConnectionString {
    private static final String FORM = "write grpc[s]://HOST:PORT/DATABASE";
    private static final String USE_TOKEN_KEY = "use the static token key of this side";
    private static final Pattern PARTS = Pattern.compile(
            "(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?<address>[^/?#]*)(?<path>/[^?#]*)?(?:\\?(?<query>[^#]*))?");
    private static final Pattern ADDRESS =
            Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%]+]|[^:@\\[\\]\\s]+):(?<port>\\d{1,5})");

    private final Section section;
    private final String key;
    private final String text;

    private ConnectionString(Section section, String key, String text) {
        this.section = section;
        this.key = key;
        this.text = text;
    }

    /** Empty after a complaint. */
    static Optional<Endpoint> read(Section section, String key) {
        String text = section.requiredText(key, FORM);
        return text.isEmpty() ? Optional.empty() : new ConnectionString(section, key, text).parse();
    }

    private Optional<Endpoint> parse() {
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()) {
            return refuse("is no connection string", FORM);
        }
        String scheme = parts.group("scheme") == null ? "grpcs" : parts.group("scheme");
        if (!scheme.equals("grpc") && !scheme.equals("grpcs")) {
            return refuse("has the scheme " + scheme, FORM);
        }
        if (parts.group("address").contains("@")) {
            return refuse("carries a user name or password", USE_TOKEN_KEY);
        }
        Matcher address = ADDRESS.matcher(parts.group("address"));
        if (!address.matches() || !isPort(address.group("port"))) {
            return refuse("names no host with a port of 1 to 65535", FORM);
        }
        if (parameter(parts.group("query"), "token").isPresent()) {
            return refuse("carries a token", USE_TOKEN_KEY);
        }
        String named = parameter(parts.group("query"), "database").orElse(nonNull(parts.group("path")));
        String database = absolute(named.replaceFirst("/+$", ""));
        if (database.isEmpty() || database.contains("//")) {
            return refuse("names no database, or one with an empty part", FORM);
        }
        return Optional.of(new Endpoint(
                scheme.equals("grpcs"), address.group("host"), Integer.parseInt(address.group("port")), database));
    }

    private static boolean isPort(String digits) {
        int port = Integer.parseInt(digits);
        return port >= 1 && port <= 65_535;
    }

    private static String absolute(String path) {
        return path.isEmpty() || path.startsWith("/") ? path : "/" + path;
    }

    private static String nonNull(@Nullable String part) {
        return part == null ? "" : part;
    }

    private static Optional<String> parameter(@Nullable String query, String name) {
        for (String pair : nonNull(query).split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return Optional.of(URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** A text that may carry a secret stays out of the message. */
    private Optional<Endpoint> refuse(String fault, String remedy) {
        boolean mayHoldSecret = text.contains("@") || text.contains("token");
        section.wrong(key, mayHoldSecret ? null : text, fault, remedy);
        return Optional.empty();
    }
}
