package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.preflight.Doorstep;
import io.aardappel.replicator.ydb.preflight.Finding;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import tech.ydb.core.grpc.GrpcTransport;

/** What a command of a person at a terminal does at the destination, the source left alone. */
interface AtDestination {
    /** The transport is open only meanwhile. */
    ExitCode act(GrpcTransport destination);

    /** Goes there and acts; what is in the way is printed. */
    default ExitCode go(ReplicatorConfig config, PrintWriter out) {
        try (Tickets tickets = Tickets.ofDestination(config)) {
            Optional<Finding> away = tickets.obtain().stream().findFirst();
            Doorstep.Side side = Side.destination(config, tickets.destination());
            if (away.isEmpty()) {
                away = Doorstep.check(side, config.tuning().get(Tuning.CALL_TIMEOUT));
            }
            if (away.isPresent()) {
                return failed(away.get().sentence(), out);
            }
            try (GrpcTransport transport = side.connection().open()) {
                return act(transport);
            }
        } catch (IOException certificate) {
            return failed(String.valueOf(certificate.getMessage()), out);
        }
    }

    private static ExitCode failed(String why, PrintWriter out) {
        out.println(why);
        return ExitCode.PREFLIGHT;
    }
}
