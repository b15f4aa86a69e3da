package io.aardappel.replicator.ydb.topics;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which stream the credit of a session's records goes back to, also after the session ended: the stream may live on. All
 * on the loop's thread.
 */
final class CreditLedger {
    private static final class Account {
        final StreamLink link;
        final ReadStream stream;
        long held;
        boolean ended;

        Account(StreamLink link, ReadStream stream) {
            this.link = link;
            this.stream = stream;
        }
    }

    private final Map<Long, Account> accounts = new HashMap<>();

    void begin(long session, StreamLink link, ReadStream stream) {
        accounts.put(session, new Account(link, stream));
    }

    void hold(long session, long credit) {
        Account account = accounts.get(session);
        if (account != null) {
            account.held += credit;
        }
    }

    void end(long session) {
        Account account = accounts.get(session);
        if (account != null) {
            account.ended = true;
            forget(session, account);
        }
    }

    /** Gives credit back to the stream it is of, and says which link that may have to send it now. */
    @Nullable
    StreamLink release(long session, long credit) {
        Account account = accounts.get(session);
        if (account == null) {
            return null;
        }
        account.held -= credit;
        account.stream.giveBack(credit);
        forget(session, account);
        return account.link;
    }

    private void forget(long session, Account account) {
        if (account.ended && account.held <= 0) {
            accounts.remove(session);
        }
    }

    void clear() {
        accounts.clear();
    }
}
