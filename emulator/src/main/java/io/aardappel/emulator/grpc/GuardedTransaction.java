package io.aardappel.emulator.grpc;

import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Declarations;
import io.aardappel.emulator.model.table.KeyRange;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A transaction as one user sees it, who may not do everything. Used like any transaction: calls do not overlap. */
final class GuardedTransaction implements Transaction {
    private final Transaction guarded;
    private final Permissions permissions;
    private final String user;

    private GuardedTransaction(Transaction guarded, Permissions permissions, String user) {
        this.guarded = guarded;
        this.permissions = permissions;
        this.user = user;
    }

    /** The transaction for that user. */
    static Transaction of(Transaction transaction, Permissions permissions, String user) {
        return permissions.isFree() ? transaction : new GuardedTransaction(transaction, permissions, user);
    }

    private void require(Right right, String path) {
        try {
            permissions.requireTable(user, right, path);
        } catch (YdbException refusal) {
            guarded.rollback();
            throw refusal;
        }
    }

    @Override
    public String id() {
        return guarded.id();
    }

    @Override
    public Mode mode() {
        return guarded.mode();
    }

    @Override
    public boolean finished() {
        return guarded.finished();
    }

    @Override
    public TableSchema schema(String path) {
        require(Right.DESCRIBE, path);
        return guarded.schema(path);
    }

    @Override
    public Declarations declarations(String path) {
        require(Right.DESCRIBE, path);
        return guarded.declarations(path);
    }

    @Override
    public @Nullable Object defaultOf(TableSchema table, int ordinal) {
        return guarded.defaultOf(table, ordinal);
    }

    @Override
    public @Nullable Object @Nullable [] get(TableSchema table, List<@Nullable Object> key) {
        require(Right.READ, table.path());
        return guarded.get(table, key);
    }

    @Override
    public void scan(TableSchema table, KeyRange range, boolean reverse, Predicate<@Nullable Object[]> consumer) {
        require(Right.READ, table.path());
        guarded.scan(table, range, reverse, consumer);
    }

    @Override
    public boolean write(TableSchema table, RowWrite write) {
        require(Right.WRITE, table.path());
        return guarded.write(table, write);
    }

    @Override
    public void enlist(Participant participant) {
        guarded.enlist(participant);
    }

    @Override
    public VirtualTimestamp commit() {
        return guarded.commit();
    }

    @Override
    public void rollback() {
        guarded.rollback();
    }
}
