package io.aardappel.emulator.model.table;

import java.util.List;

/** A changefeed as its table drives it. Every method is called under the database's lock. */
public interface Changefeed {
    /** Where a feed stands, with the numbers of {@code Ydb.Table.ChangefeedDescription.State}. */
    enum State {
        ENABLED(1),
        DISABLED(2),
        INITIAL_SCAN(3);

        private final int number;

        State(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /**
     * A feed at one moment.
     *
     * @param partsTotal shards that the initial scan covers, 0 when there is none
     * @param partsCompleted of them, those that are read to their end
     */
    record Description(TableSpec.ChangefeedSpec spec, State state, int partsTotal, int partsCompleted) {}

    Description describe();

    /** Whether so much waits to be sent that the table must take no more writes for now. */
    boolean isFull();

    /** Rows of this feed's table changed, in the order of the writes. */
    void committed(Commit commit, List<RowChange> changes);

    /** The columns of the table changed. */
    void schemaChanged(TableSchema schema, Commit commit);

    /** Some shards were replaced by others over the same keys. Not called while the feed scans. */
    void resharded(List<Shard> removed, List<Shard> added);

    /** Writes nothing from now on; what is in the topic stays readable. */
    void disable();

    /**
     * Does a bounded part of the work that waits: scan, delayed records, barriers.
     *
     * @return how much was done, 0 when there was nothing to do
     */
    int tick(long nowMillis);
}
