package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.table.Transaction;
import java.util.HashSet;
import java.util.Set;
import tech.ydb.proto.YdbQueryStats.QueryStats;

/** A transaction of a session together with what its queries name, so that faults can tell which tables it concerns. */
public final class OpenTransaction {
    private final MeasuredTransaction transaction;
    private final Set<String> paths = new HashSet<>();

    OpenTransaction(Transaction transaction) {
        this.transaction = new MeasuredTransaction(transaction);
    }

    public Transaction transaction() {
        return transaction;
    }

    /** Statistics of the last query, which took so long. */
    QueryStats stats(long nanos) {
        return transaction.stats(nanos);
    }

    public String id() {
        return transaction.id();
    }

    boolean finished() {
        return transaction.finished();
    }

    void rollback() {
        transaction.rollback();
    }

    /** A query that names these tables and topics. */
    synchronized void runs(Set<String> named) {
        transaction.reset();
        paths.addAll(named);
    }

    /** What its queries named so far, by absolute paths. */
    synchronized Set<String> paths() {
        return Set.copyOf(paths);
    }
}
