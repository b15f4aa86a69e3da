package io.aardappel.emulator;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Changefeeds;
import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.FeedSource;
import io.aardappel.emulator.model.table.Limits;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.topic.Topics;
import io.aardappel.emulator.query.QueryEngine;

/** Puts a database together out of its parts. */
final class TenantFactory {
    private TenantFactory() {}

    static Tenant create(String path, Limits limits, Faults faults) {
        Topics topics = new Topics();
        Changefeeds feeds = new Changefeeds() {
            @Override
            public void check(TableSchema table, TableSpec.ChangefeedSpec spec) {
                throw new YdbException(Status.UNSUPPORTED, "changefeeds");
            }

            @Override
            public Changefeed open(TableSpec.ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created) {
                throw new YdbException(Status.UNSUPPORTED, "changefeeds");
            }
        };
        return new Tenant(
                new Database(path, new VirtualClock(System::currentTimeMillis), limits, topics, feeds), topics);
    }

    static QueryEngine queryEngine() {
        return (database, text) -> {
            throw new YdbException(Status.UNSUPPORTED, "queries");
        };
    }
}
