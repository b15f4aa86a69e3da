package io.aardappel.replicator.ydb.transport;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which database, and where its first endpoint listens: {@code grpc[s]://host:port/database} or
 * {@code grpc[s]://host:port/?database=/database}. Only {@code grpc} is plain; every other scheme, and none, means TLS, as
 * the Go program reads it.
 *
 * @param host name or address; an IPv6 address stands in brackets
 * @param database absolute path
 * @param token from the query parameter {@code token}, which counts only where the configuration names no other
 */
public record ConnectionString(boolean secure, String host, int port, String database, Optional<String> token) {

    /**
     * Reads any of the forms.
     *
     * @throws IllegalArgumentException when a part is missing or unreadable; the message names the part and the form, and
     *     repeats nothing of the query, where a token may stand
     */
    public static ConnectionString parse(String text) {
        String stripped = text.strip();
        URI uri = uri(stripped.contains("://") ? stripped : "grpcs://" + stripped);
        if (uri.getHost() == null) {
            throw refused("has no host that can be read");
        }
        if (uri.getPort() < 0) {
            throw refused("has no port");
        }
        String database = parameter(uri, "database");
        if (database == null) {
            database = uri.getPath() == null ? "" : uri.getPath();
        }
        database = database.replaceAll("/+$", "");
        if (database.isEmpty()) {
            throw refused("names no database");
        }
        return new ConnectionString(
                !"grpc".equalsIgnoreCase(uri.getScheme()),
                uri.getHost(),
                uri.getPort(),
                database.startsWith("/") ? database : "/" + database,
                Optional.ofNullable(parameter(uri, "token")));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw refused("cannot be read as an address (index " + e.getIndex() + ": " + e.getReason() + ")");
        }
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "the connection string " + why + "; it must look like grpcs://host:2135/Root/database");
    }

    private static @Nullable String parameter(URI uri, String name) {
        if (uri.getRawQuery() == null) {
            return null;
        }
        for (String pair : uri.getRawQuery().split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).equals(name)) {
                String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                return value.isEmpty() ? null : value;
            }
        }
        return null;
    }

    /** For people and logs: everything but the token. */
    @Override
    public String toString() {
        return (secure ? "grpcs://" : "grpc://") + host + ":" + port + database;
    }
}
