package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.Scheme;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.topic.Topics;

/** What the topic service needs of the database that a call addresses. Thread-safe. */
public interface TopicDatabase {
    /** Absolute path, such as {@code /local}. */
    String path();

    Topics topics();

    Scheme scheme();

    /** An open transaction of a session; NOT_FOUND with issue 2015 when there is none of that id. */
    Transaction transaction(String sessionId, String transactionId);

    /** Makes the absolute path of one in the database, which is relative or absolute. */
    default String absolute(String given) {
        String base = path();
        if (given.equals(base) || given.startsWith(base + "/")) {
            return given;
        }
        if (("/" + given).startsWith(base + "/")) {
            return "/" + given;
        }
        return given.startsWith("/") ? given : base + "/" + given;
    }
}
