package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session of the table or query service. It runs one request at a time and owns its transactions. Thread-safe. */
public final class Session {
    private final String id;
    private final Database database;
    private final String user;
    private final int transactionsMax;
    private final Map<String, OpenTransaction> transactions = new LinkedHashMap<>();
    private final List<Runnable> watchers = new ArrayList<>();
    private boolean busy;
    private boolean closed;
    private long lastUsedNanos;

    Session(String id, Database database, String user, int transactionsMax, long nowNanos) {
        this.id = id;
        this.database = database;
        this.user = user;
        this.transactionsMax = transactionsMax;
        this.lastUsedNanos = nowNanos;
    }

    public String id() {
        return id;
    }

    public Database database() {
        return database;
    }

    public synchronized boolean busy() {
        return busy;
    }

    /** Runs something as the session's one active request: SESSION_BUSY when there is another, BAD_SESSION when it is gone. */
    <T extends @Nullable Object> T use(long nowNanos, Supplier<T> request) {
        enter(nowNanos);
        try {
            return request.get();
        } finally {
            leave();
        }
    }

    synchronized void touch(long nowNanos) {
        lastUsedNanos = nowNanos;
    }

    private synchronized void enter(long nowNanos) {
        if (closed) {
            throw unknown(id);
        }
        if (busy) {
            throw new YdbException(Status.SESSION_BUSY, "Pending previous query completion in session " + id);
        }
        busy = true;
        lastUsedNanos = nowNanos;
    }

    private void leave() {
        synchronized (this) {
            busy = false;
            if (!closed) {
                return;
            }
        }
        rollbackAll();
    }

    /** Begins a transaction that later requests can name. */
    public OpenTransaction begin(Transaction.Mode mode) {
        synchronized (this) {
            transactions.values().removeIf(OpenTransaction::finished);
            if (transactions.size() >= transactionsMax) {
                throw new YdbException(
                        Status.BAD_SESSION,
                        "Too many transactions in session " + id + ": " + transactionsMax
                                + " are open, commit or roll back one of them");
            }
        }
        OpenTransaction begun = new OpenTransaction(database.begin(mode, user));
        synchronized (this) {
            transactions.put(begun.id(), begun);
        }
        return begun;
    }

    /** The open transaction of that id, NOT_FOUND when this session has none. */
    public synchronized OpenTransaction transaction(String txId) {
        OpenTransaction found = transactions.get(txId);
        if (found == null || found.finished()) {
            transactions.remove(txId);
            throw new YdbException(
                    Status.NOT_FOUND, Issue.of(Issue.TRANSACTION_NOT_FOUND, "Transaction not found: " + txId));
        }
        return found;
    }

    /** Takes a transaction out of the session without ending it; false when the session does not know it any more. */
    synchronized boolean detach(OpenTransaction transaction) {
        return transactions.remove(transaction.id()) != null;
    }

    /** A stream watches the session: it never idles, and {@code onClose} runs when it goes, at once when it is gone. */
    void attached(Runnable onClose) {
        synchronized (this) {
            if (!closed) {
                watchers.add(onClose);
                return;
            }
        }
        onClose.run();
    }

    /** Ends the session: its transactions are rolled back, after the active request if there is one. */
    void close() {
        List<Runnable> actions;
        boolean idle;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            idle = !busy;
            actions = List.copyOf(watchers);
        }
        if (idle) {
            rollbackAll();
        }
        actions.forEach(Runnable::run);
    }

    synchronized boolean idleSince(long nanos) {
        return !busy && watchers.isEmpty() && lastUsedNanos - nanos < 0;
    }

    private void rollbackAll() {
        List<OpenTransaction> open;
        synchronized (this) {
            open = List.copyOf(transactions.values());
            transactions.clear();
        }
        open.forEach(OpenTransaction::rollback);
    }

    static YdbException unknown(String id) {
        return new YdbException(Status.BAD_SESSION, "Session not found: " + id);
    }
}
