package io.aardappel.emulator.grpc;

import io.aardappel.emulator.changefeed.TopicChangefeeds;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.topic.Topics;

/** A database with its topics and what makes its changefeeds. */
public record Tenant(Database database, Topics topics, TopicChangefeeds changefeeds) {
    public String path() {
        return database.path();
    }

    /** The absolute path of a request's path, which may be relative to the database or leave out the first slash. */
    public String absolute(String given) {
        return Databases.absolute(database, given);
    }
}
