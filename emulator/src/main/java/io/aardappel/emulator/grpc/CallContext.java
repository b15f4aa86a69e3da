package io.aardappel.emulator.grpc;

import io.grpc.Context;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of the current call say.
 *
 * @param database the {@code x-ydb-database} header, null when it was not sent
 * @param user who calls, by the ticket
 * @param authority host and port under which the client reached the server, null when it did not say
 */
public record CallContext(
        @Nullable String database, String user, @Nullable String authority) {
    static final Context.Key<CallContext> KEY = Context.key("ydb-call");

    private static final CallContext NONE = new CallContext(null, Accounts.ANONYMOUS, null);

    /** The context of the call that this thread serves. Handlers of streams read it once, when the stream opens. */
    public static CallContext current() {
        CallContext context = KEY.get();
        return context == null ? NONE : context;
    }
}
