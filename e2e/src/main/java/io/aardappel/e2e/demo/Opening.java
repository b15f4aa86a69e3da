package io.aardappel.e2e.demo;

import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Shop;
import io.aardappel.e2e.world.Workload;

/** What is there before replication begins: tables on both sides, rows in the source, changefeeds. */
final class Opening {
    private static final int SHARDS_OF_SOURCE = 3;

    private Opening() {}

    static void prepare(Narration narration, Database source, Database copy, Workload workload) {
        narration.step("Creating " + Shop.TABLES.size() + " tables on both sides and filling the source");
        for (Shop.Table table : Shop.TABLES) {
            source.define(table.create(SHARDS_OF_SOURCE));
            copy.define(table.create(1));
        }
        narration.say(workload.fill() + " rows written before there is a changefeed");
        narration.step("Adding changefeeds with an initial scan over the rows that are there");
        for (Shop.Table table : Shop.TABLES) {
            source.define(table.addFeed());
            source.define(table.addConsumer("aardappel"));
            narration.say(table.name() + "/feed");
        }
    }
}
