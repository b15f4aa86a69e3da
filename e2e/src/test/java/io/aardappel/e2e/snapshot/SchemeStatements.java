package io.aardappel.e2e.snapshot;

import java.time.Duration;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;

/** Runs schema statements one by one. */
record SchemeStatements(TableClient client) {
    void execute(String text) {
        SessionRetryContext.create(client)
                .sessionCreationTimeout(Duration.ofSeconds(10))
                .build()
                .supplyStatus(session -> session.executeSchemeQuery(text))
                .join()
                .expectSuccess(text);
    }
}
