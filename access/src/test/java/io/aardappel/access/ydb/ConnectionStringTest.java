package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.access.ydb.ConnectionString.MalformedException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A connection string")
class ConnectionStringTest {
    @ParameterizedTest
    @CsvSource({
        "grpc://host:2136/Root/db, grpc://host:2136/Root/db",
        "host:2136/Root/db/, grpcs://host:2136/Root/db",
        "grpcs://my_host:2135/?database=%2FRoot%2Fdb, grpcs://my_host:2135/Root/db",
        "grpc://[::1]:2136/local, grpc://[::1]:2136/local"
    })
    void namesADatabase(String text, String address) throws MalformedException {
        assertThat(ConnectionString.parse(text)).hasToString(address);
    }

    @ParameterizedTest
    @CsvSource({
        "http://host:2136/db, has the scheme http, false",
        "grpc://host/db, names no host with a port of 1 to 65535, false",
        "grpc://host:70000/db, names no host with a port of 1 to 65535, false",
        "grpc://host:2136, 'names no database, or one with an empty part', false",
        "grpc://me:pass@host:2136/db, carries a user name or password, true",
        "grpc://host:2136/db?token=x, carries a token, true"
    })
    void isRefusedOtherwise(String text, String fault, boolean credentials) {
        assertThatThrownBy(() -> ConnectionString.parse(text))
                .isInstanceOfSatisfying(MalformedException.class, malformed -> {
                    assertThat(malformed.fault()).isEqualTo(fault);
                    assertThat(malformed.carriesCredentials()).isEqualTo(credentials);
                });
    }
}
