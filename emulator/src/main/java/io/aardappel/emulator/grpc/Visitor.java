package io.aardappel.emulator.grpc;

import io.aardappel.emulator.grpc.Permissions.Right;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who opened a stream. He may have to leave before he wants to: when his ticket is no longer known and he has shown no other,
 * or when he loses the right to what he came for. Thread-safe.
 */
public final class Visitor {
    private final Accounts accounts;
    private final Right right;
    private volatile String user;
    private volatile @Nullable String ticket;
    private volatile List<String> topics = List.of();

    private Visitor(Accounts accounts, CallContext call, Right right) {
        this.accounts = accounts;
        this.right = right;
        this.user = call.user();
        this.ticket = call.ticket();
    }

    /** The caller of the current call, who comes to read or to write. */
    public static Visitor ofCall(Accounts accounts, Right right) {
        return new Visitor(accounts, CallContext.current(), right);
    }

    /**
     * Says what he came for; throws where he may not.
     *
     * @param paths absolute, of topics
     */
    public void enters(List<String> paths) {
        topics = List.copyOf(paths);
        objection().ifPresent(Visitor::raise);
    }

    /** Takes a ticket in the place of the one he came with; throws where it is not known or does not let him stay. */
    public void shows(String newer) {
        user = accounts.userOf(newer).orElse(user);
        ticket = newer;
        objection().ifPresent(Visitor::raise);
    }

    private static void raise(RuntimeException objection) {
        throw objection;
    }

    /** Why he must leave now: UNAUTHENTICATED as a gRPC status, a lost right as a refusal; empty when he may stay. */
    Optional<RuntimeException> objection() {
        if (accounts.userOf(ticket).isEmpty()) {
            return Optional.of(unknownTicket());
        }
        for (String topic : topics) {
            RuntimeException refusal = accounts.permissions().topicRefusal(user, right, topic);
            if (refusal != null) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }

    private static StatusRuntimeException unknownTicket() {
        return Status.UNAUTHENTICATED
                .withDescription("Access denied: the ticket of the stream is not known any more")
                .asRuntimeException();
    }
}
