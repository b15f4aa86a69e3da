package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import java.io.PrintWriter;
import java.util.List;

final class ReplicatorProcess {
    ReplicatorProcess(ReplicatorConfig config, Seams seams) {}

    ExitCode run() {
        throw new UnsupportedOperationException();
    }

    List<String> check(PrintWriter out) {
        return List.of();
    }
}
