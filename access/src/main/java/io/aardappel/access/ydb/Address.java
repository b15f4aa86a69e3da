package io.aardappel.access.ydb;

/**
 * Where a database is reached.
 *
 * @param secure whether the connection is encrypted
 * @param host name or address; an IPv6 address stands in brackets
 * @param database absolute path, without a slash at its end
 */
public record Address(boolean secure, String host, int port, String database) {
    /** As a connection string. */
    @Override
    public String toString() {
        return (secure ? "grpcs://" : "grpc://") + host + ":" + port + database;
    }
}
