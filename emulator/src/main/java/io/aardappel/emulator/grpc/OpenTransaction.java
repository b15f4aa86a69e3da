package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import tech.ydb.proto.YdbQueryStats.QueryStats;

/** A transaction of a session together with what its queries said, so that faults can tell which tables it concerns. */
public final class OpenTransaction {
    private final MeasuredTransaction transaction;
    private final List<String> texts = new ArrayList<>();

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

    synchronized void runs(String text) {
        transaction.reset();
        texts.add(text);
    }

    /** True when one of its queries names the object at an absolute path. */
    synchronized boolean mentions(String database, String path) {
        return texts.stream().anyMatch(text -> mentions(text, database, path));
    }

    /**
     * True when a query text names an object or one below it, by its absolute path or relative to the database. Only whole
     * names count: a text about {@code state} does not name {@code t}.
     */
    static boolean mentions(String text, String database, String path) {
        String relative = path.startsWith(database + "/") ? path.substring(database.length() + 1) : path;
        if (relative.isEmpty()) {
            return true;
        }
        for (int at = text.indexOf(relative); at >= 0; at = text.indexOf(relative, at + 1)) {
            int end = at + relative.length();
            if (beginsThere(text, at, database) && (end == text.length() || !isOfName(text.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean beginsThere(String text, int at, String database) {
        if (at == 0) {
            return true;
        }
        char before = text.charAt(at - 1);
        return before == '/' ? text.startsWith(database, at - 1 - database.length()) : !isOfName(before);
    }

    private static boolean isOfName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-';
    }
}
