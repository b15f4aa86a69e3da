package io.aardappel.emulator.grpc;

import io.grpc.Context;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of the current call say. Its text leaves out the ticket.
 *
 * @param database the {@code x-ydb-database} header, null when it was not sent
 * @param user who calls, by the ticket
 * @param ticket as it was sent, null when there was none
 * @param authority host and port under which the client reached the server, null when it did not say
 */
public record CallContext(
        @Nullable String database,
        String user,
        @Nullable String ticket,
        @Nullable String authority) {
    static final Context.Key<CallContext> KEY = Context.key("ydb-call");

    private static final CallContext NONE = new CallContext(null, Accounts.ANONYMOUS, null, null);

    /** The context of the call that this thread serves. Handlers of streams read it once, when the stream opens. */
    public static CallContext current() {
        CallContext context = KEY.get();
        return context == null ? NONE : context;
    }

    @Override
    public String toString() {
        return "call by " + user + " to database " + database + " at " + authority;
    }
}
