package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.topic.FeedTopic;

/** Makes the changefeeds of tables. Called under the database's lock. */
public interface Changefeeds {
    /** Refuses what YDB refuses, by {@link io.aardappel.emulator.model.YdbException}; changes nothing. */
    void check(TableSchema table, TableSpec.ChangefeedSpec spec);

    /**
     * Begins a feed.
     *
     * @param created its timestamp is above every commit before and below every commit after; the initial scan covers the
     *     rows as of then
     */
    Changefeed open(TableSpec.ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created);
}
