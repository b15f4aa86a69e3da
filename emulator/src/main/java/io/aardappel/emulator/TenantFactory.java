package io.aardappel.emulator;

import io.aardappel.emulator.changefeed.TopicChangefeeds;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.grpc.Databases;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Limits;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.topic.Topics;
import io.aardappel.emulator.query.QueryEngine;
import io.aardappel.emulator.query.YqlEngine;

/** Puts a database together out of its parts. */
final class TenantFactory {
    private TenantFactory() {}

    static Tenant create(String path, Limits limits, Faults faults) {
        Topics topics = new Topics();
        TopicChangefeeds feeds = new TopicChangefeeds(faults);
        VirtualClock clock = new VirtualClock(System::currentTimeMillis);
        return new Tenant(new Database(path, clock, limits, topics, feeds), topics, feeds);
    }

    /** The functions of the current time follow the clock of their database, which faults may move. */
    static QueryEngine queryEngine(Databases databases) {
        return new YqlEngine(path -> databases.named(path).database().now().step() * 1_000);
    }
}
