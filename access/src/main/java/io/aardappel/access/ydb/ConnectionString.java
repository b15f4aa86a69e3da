package io.aardappel.access.ydb;

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
public final class ConnectionString {
    private static final Pattern PARTS = Pattern.compile(
            "(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?<address>[^/?#]*)(?<path>/[^?#]*)?(?:\\?(?<query>[^#]*))?");
    private static final Pattern ADDRESS =
            Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%]+]|[^:@\\[\\]\\s]+):(?<port>\\d{1,5})");

    private ConnectionString() {}

    /** A text is no connection string that can be used. The message says why and does not quote it. */
    public static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean carriesCredentials;

        private MalformedException(String fault, boolean carriesCredentials) {
            super(fault);
            this.carriesCredentials = carriesCredentials;
        }

        /** What is wrong, to follow the name of what holds the text. */
        public String fault() {
            return String.valueOf(getMessage());
        }

        /** Whether there are a user, a password or a token in it, which do not belong there. */
        public boolean carriesCredentials() {
            return carriesCredentials;
        }
    }

    /**
     * The address in a text such as {@code grpcs://HOST:PORT/DATABASE}; without a scheme it means grpcs.
     *
     * @throws MalformedException when there is none
     */
    public static Address parse(String text) throws MalformedException {
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()) {
            throw malformed("is no connection string");
        }
        String scheme = parts.group("scheme") == null ? "grpcs" : parts.group("scheme");
        if (!scheme.equals("grpc") && !scheme.equals("grpcs")) {
            throw malformed("has the scheme " + scheme);
        }
        if (parts.group("address").contains("@")) {
            throw new MalformedException("carries a user name or password", true);
        }
        Matcher address = ADDRESS.matcher(parts.group("address"));
        if (!address.matches() || !isPort(address.group("port"))) {
            throw malformed("names no host with a port of 1 to 65535");
        }
        if (parameter(parts.group("query"), "token").isPresent()) {
            throw new MalformedException("carries a token", true);
        }
        String named = parameter(parts.group("query"), "database").orElse(nonNull(parts.group("path")));
        String database = absolute(named.replaceFirst("/+$", ""));
        if (database.isEmpty() || database.contains("//")) {
            throw malformed("names no database, or one with an empty part");
        }
        return new Address(
                scheme.equals("grpcs"), address.group("host"), Integer.parseInt(address.group("port")), database);
    }

    private static MalformedException malformed(String fault) {
        return new MalformedException(fault, false);
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
}
