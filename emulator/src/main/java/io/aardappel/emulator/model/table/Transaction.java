package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One transaction over the tables and topics of a database. It reads a snapshot taken at its first read, sees its own
 * writes, and takes optimistic locks on what it read: a commit of somebody else into that makes a later write or the
 * commit fail with ABORTED and issue 2001 (a blind UPSERT, REPLACE or DELETE is judged at the commit). Every method may
 * throw {@link io.aardappel.emulator.model.YdbException}; after that the transaction is rolled back. Calls of one
 * transaction must not overlap.
 */
public interface Transaction {
    /** What a transaction may do and how consistent its reads are. */
    enum Mode {
        SERIALIZABLE_READ_WRITE,
        SNAPSHOT_READ_ONLY,
        SNAPSHOT_READ_WRITE,
        ONLINE_READ_ONLY,
        STALE_READ_ONLY;

        public boolean readOnly() {
            return this == SNAPSHOT_READ_ONLY || this == ONLINE_READ_ONLY || this == STALE_READ_ONLY;
        }
    }

    /** Something beside rows that takes part in the commit, such as messages written to a topic. Called under the database's lock. */
    interface Participant {
        /** Refuses the commit by throwing {@link io.aardappel.emulator.model.YdbException}; changes nothing. */
        void check();

        /** Makes it durable; must not fail. */
        void apply(VirtualTimestamp commit);

        /** The transaction ended without a commit. */
        void discard();
    }

    /** Unique in the database. */
    String id();

    Mode mode();

    /** True after commit, rollback or any error. */
    boolean finished();

    /** The schema of the table at an absolute path; SCHEME_ERROR when there is none. */
    TableSchema schema(String path);

    /** Indexes and TTL of the table at an absolute path; SCHEME_ERROR when there is none. */
    Declarations declarations(String path);

    /**
     * What a statement writes into a column that it leaves out: the default, the next number of the sequence of a Serial
     * column, or null. {@link #write} fills left-out non-key columns itself; a key must be complete, so a statement that
     * leaves out a key column asks here.
     */
    @Nullable
    Object defaultOf(TableSchema table, int ordinal);

    /** The row of a full key by column ordinal of the schema, null when it is not there. It must not be changed. */
    @Nullable
    Object @Nullable [] get(TableSchema table, List<@Nullable Object> key);

    /** Hands over rows of the range in key order (descending when {@code reverse}) until the consumer answers false. The
     * consumer runs outside the database's lock and must not change the rows. */
    void scan(TableSchema table, KeyRange range, boolean reverse, Predicate<@Nullable Object[]> consumer);

    /**
     * Writes one row. Checks NOT NULL, defaults, sizes.
     *
     * @return false when an UPDATE or DELETE found no row
     */
    boolean write(TableSchema table, RowWrite write);

    /** Lets something else take part in this transaction's commit. */
    void enlist(Participant participant);

    /** Commits; a transaction that wrote nothing gets the timestamp of its snapshot. */
    VirtualTimestamp commit();

    /** Ends the transaction without effect; does nothing when it is finished. */
    void rollback();
}
