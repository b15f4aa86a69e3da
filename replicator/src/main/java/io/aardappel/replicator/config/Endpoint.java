package io.aardappel.replicator.config;

/**
 * Where a database is, out of a connection string.
 *
 * @param tls whether the connection is encrypted ({@code grpcs})
 * @param host name or address, IPv6 in brackets
 * @param port 1 to 65535
 * @param database absolute path, without a slash at its end
 */
public record Endpoint(boolean tls, String host, int port, String database) {
    /** The absolute path of a name inside this database; an absolute name stays as it is. */
    public String resolve(String name) {
        return name.startsWith("/") ? name : database + "/" + name;
    }

    /** Whether an absolute path lies below this database. */
    public boolean contains(String absolutePath) {
        return absolutePath.startsWith(database + "/") && absolutePath.length() > database.length() + 1;
    }

    /** {@code grpc[s]://host:port/database}, which reads back as this endpoint. */
    @Override
    public String toString() {
        return (tls ? "grpcs://" : "grpc://") + host + ":" + port + database;
    }
}
