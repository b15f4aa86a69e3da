package io.aardappel.replicator.config;

/**
 * Where the HTTP server listens.
 *
 * @param host name or address; empty means all of this machine's
 * @param port 0 to 65535, 0 lets the system pick
 */
public record ListenAddress(String host, int port) {
    /** As Go writes it: {@code :8080}, {@code 127.0.0.1:8080}. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
