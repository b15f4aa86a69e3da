package io.aardappel.replicator.config;

import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.ConnectionString.MalformedException;
import java.util.Optional;

/** The connection strings of a section. */
final class ConnectionString {
    private static final String FORM = "write grpc[s]://HOST:PORT/DATABASE";
    private static final String USE_TOKEN_KEY = "use the static token key of this side";

    private ConnectionString() {}

    /** Empty after a complaint. */
    static Optional<Endpoint> read(Section section, String key) {
        String text = section.requiredText(key, FORM);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            Address where = io.aardappel.access.ydb.ConnectionString.parse(text);
            return Optional.of(new Endpoint(where.secure(), where.host(), where.port(), where.database()));
        } catch (MalformedException malformed) {
            boolean mayHoldSecret = text.contains("@") || text.contains("token"); // then it stays out of the message
            section.wrong(
                    key,
                    mayHoldSecret ? null : text,
                    malformed.fault(),
                    malformed.carriesCredentials() ? USE_TOKEN_KEY : FORM);
            return Optional.empty();
        }
    }
}
