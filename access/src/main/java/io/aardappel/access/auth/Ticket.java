package io.aardappel.access.auth;

import tech.ydb.auth.AuthRpcProvider;
import tech.ydb.auth.NopAuthProvider;
import tech.ydb.auth.TokenAuthProvider;
import tech.ydb.core.impl.auth.GrpcAuthRpc;

/** What the calls to one database carry to be let in. It may change while connections use it. Thread-safe. */
public interface Ticket {
    /** For the SDK, which asks it before every call; it never waits. */
    AuthRpcProvider<? super GrpcAuthRpc> provider();

    /** The number of the ticket that calls carry now; every change gives a higher one. */
    long generation();

    /**
     * A server let in a call.
     *
     * @param generation that was current when the call began
     */
    void accepted(long generation);

    /**
     * A server does not know the ticket of a call.
     *
     * @param generation that was current when the call began
     * @return whether a call made later may fare better, with a ticket that is there already or will be
     */
    boolean refused(long generation);

    /** No ticket: calls are anonymous. */
    static Ticket none() {
        return new Lasting(NopAuthProvider.INSTANCE);
    }

    /** One ticket for ever, sent as it is. */
    static Ticket fixed(String ticket) {
        return new Lasting(new TokenAuthProvider(ticket));
    }

    /**
     * Never changes.
     *
     * @param provider of the one ticket, or of none
     */
    record Lasting(AuthRpcProvider<? super GrpcAuthRpc> provider) implements Ticket {
        @Override
        public long generation() {
            return 0;
        }

        @Override
        public void accepted(long generation) {
            // nothing follows from it
        }

        @Override
        public boolean refused(long generation) {
            return false;
        }

        /** Without the ticket. */
        @Override
        public String toString() {
            return "ticket";
        }
    }
}
