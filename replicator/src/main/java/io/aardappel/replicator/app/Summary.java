package io.aardappel.replicator.app;

import io.aardappel.program.Version;
import io.aardappel.replicator.config.Authentication;
import io.aardappel.replicator.config.DatabaseConfig;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration in one line: what somebody on call wants to know first. Carries no secret. */
final class Summary {
    private static final int STREAMS_NAMED = 5;

    static String of(ReplicatorConfig config) {
        return "replicator " + Version.of(Summary.class)
                + ", instance " + config.instanceId()
                + ", source " + database(config.source())
                + ", destination " + database(config.destination())
                + ", state table " + config.stateTablePath()
                + ", heartbeat " + config.heartbeat().toSeconds() + " s"
                + ", lock " + lock(config)
                + ", monitoring " + config.monitoring().map(Object::toString).orElse("none")
                + ", " + streams(config.streams());
    }

    private static String database(DatabaseConfig side) {
        return side.endpoint() + ticket(side.authentication());
    }

    private static String ticket(Authentication authentication) {
        if (authentication instanceof Authentication.TokenExchange exchange) {
            return " (token exchange by " + exchange.file() + ")";
        }
        if (authentication instanceof Authentication.Login login) {
            return " (as user " + login.user() + ")";
        }
        if (authentication instanceof Authentication.TokenFile inFile) {
            return " (with the token in " + inFile.file() + ")";
        }
        return authentication instanceof Authentication.StaticToken ? " (with a token)" : " (without a token)";
    }

    private static String lock(ReplicatorConfig config) {
        return config.waitForLock()
                ? "waited for without end"
                : "waited for " + config.tuning().get(Tuning.LOCK_WAIT).toSeconds() + " s";
    }

    private static String streams(List<StreamConfig> streams) {
        int left = streams.size() - STREAMS_NAMED;
        return streams.stream()
                .limit(STREAMS_NAMED)
                .map(stream -> stream.sourceTopic() + " -> " + stream.destinationTable())
                .collect(Collectors.joining(
                        ", ", "streams (" + streams.size() + "): ", left > 0 ? " and " + left + " more" : ""));
    }

    private Summary() {}
}
