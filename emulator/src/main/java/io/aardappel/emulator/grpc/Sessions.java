package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All sessions of the process, of every database and of both services. Thread-safe. */
public final class Sessions {
    private final Map<String, Session> byId = new ConcurrentHashMap<>();
    private final ServerLimits limits;
    private final int nodeId;
    private final LongSupplier nanoClock;

    public Sessions(ServerLimits limits, int nodeId, LongSupplier nanoClock) {
        this.limits = limits;
        this.nodeId = nodeId;
        this.nanoClock = nanoClock;
    }

    /** A new session; OVERLOADED when there are too many. */
    public synchronized Session create(Database database) {
        if (byId.size() >= limits.sessions()) {
            throw new YdbException(
                    Status.OVERLOADED, "Active sessions limit exceeded, maximum allowed: " + limits.sessions());
        }
        String id = "ydb://session/3?node_id=" + nodeId + "&id=" + UUID.randomUUID();
        Session session = new Session(
                id, database, CallContext.current().user(), limits.transactionsPerSession(), nanoClock.getAsLong());
        byId.put(id, session);
        return session;
    }

    /** The session of that id, BAD_SESSION when there is none. */
    public Session get(String id) {
        if (id.isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "Session id is empty");
        }
        Session session = byId.get(id);
        if (session == null) {
            throw Session.unknown(id);
        }
        return session;
    }

    /** Counts the session as used; answers whether it is busy. */
    boolean keepAlive(String id) {
        Session session = get(id);
        session.touch(nanoClock.getAsLong());
        return session.busy();
    }

    /** Runs something as the active request of a session. */
    <T extends @Nullable Object> T use(String id, Function<Session, T> request) {
        Session session = get(id);
        return session.use(nanoClock.getAsLong(), () -> request.apply(session));
    }

    /** Ends a session; false when it was not there. */
    public boolean delete(String id) {
        Session session = byId.remove(id);
        if (session != null) {
            session.close();
        }
        return session != null;
    }

    /** Ends sessions that were not used for the idle time of the limits. */
    void expire() {
        long since = nanoClock.getAsLong() - limits.sessionIdle().toNanos();
        byId.values().stream()
                .filter(session -> session.idleSince(since))
                .map(Session::id)
                .toList()
                .forEach(this::delete);
    }

    /** Ends them all, as a restart of the node does. */
    public void closeAll() {
        byId.keySet().forEach(this::delete);
    }

    public int count() {
        return byId.size();
    }
}
