package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.preflight.Doorstep;
import io.aardappel.replicator.ydb.preflight.Finding;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import tech.ydb.core.grpc.GrpcTransport;

/** A command's visit to one of the databases, the other left alone. */
final class Visit {
    private Visit() {}

    /**
     * Goes to the source. Waits.
     *
     * @param there what is done; the transport is open only meanwhile
     * @param away what is done instead when something is in the way: what, and the remedy
     */
    static <R> R source(ReplicatorConfig config, Function<GrpcTransport, R> there, Function<String, R> away) {
        try (Tickets tickets = Tickets.ofSource(config)) {
            return visit(config, tickets, Side.source(config, tickets.source()), there, away);
        } catch (IOException certificate) {
            return away.apply(String.valueOf(certificate.getMessage()));
        }
    }

    /** Goes to the destination, as {@link #source} does to the source. */
    static <R> R destination(ReplicatorConfig config, Function<GrpcTransport, R> there, Function<String, R> away) {
        try (Tickets tickets = Tickets.ofDestination(config)) {
            return visit(config, tickets, Side.destination(config, tickets.destination()), there, away);
        } catch (IOException certificate) {
            return away.apply(String.valueOf(certificate.getMessage()));
        }
    }

    private static <R> R visit(
            ReplicatorConfig config,
            Tickets tickets,
            Doorstep.Side side,
            Function<GrpcTransport, R> there,
            Function<String, R> away) {
        Optional<Finding> obstacle = tickets.obtain().stream()
                .findFirst()
                .or(() -> Doorstep.check(
                        side,
                        config.tuning().get(Tuning.CALL_TIMEOUT),
                        config.tuning().get(Tuning.CALL_TRIES)));
        if (obstacle.isPresent()) {
            return away.apply(obstacle.get().sentence());
        }
        GrpcTransport transport;
        try {
            transport = side.connection().open();
        } catch (RuntimeException refused) {
            return away.apply(Databases.discoveryFailed(side.name(), side.connection(), refused)
                    .sentence());
        }
        try (transport) {
            return there.apply(transport);
        }
    }
}
