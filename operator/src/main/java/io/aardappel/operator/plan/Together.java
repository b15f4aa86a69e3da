package io.aardappel.operator.plan;

import io.aardappel.crds.api.CommandQueue;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.DeadLetterQueue;
import io.aardappel.crds.api.Heartbeat;
import io.aardappel.crds.api.KeyFilter;
import io.aardappel.crds.api.ProblemStrategy;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.Stream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all pods that run at a time must agree on: where they read and write, what they leave out, and how long a lock lives.
 * When it changes all pods stop before one with the change starts. Anything else may roll out pod by pod.
 *
 * <p>What is not written does not count, so that a member which a later version knows changes no hash of a resource without it:
 * an upgrade of the operator alone stops nothing.
 */
final class Together {
    private static final int DIGITS = 16;

    private final List<String> parts = new ArrayList<>();

    private Together() {}

    /** @param streams those that may run; their order does not count */
    static String hash(ReplicationSpec spec, List<Stream> streams) {
        Together all = new Together();
        all.add("source", spec.source());
        all.add("destination", spec.destination());
        all.add("stateTable", spec.stateTable());
        all.add("instanceId", spec.instanceId());
        all.add("heartbeat", spec.heartbeat());
        all.add("commandQueue", spec.commandQueue());
        all.add("deadLetterQueue", spec.deadLetterQueue());
        all.add("keyFilter", spec.keyFilter());
        streams.stream().map(Together::route).sorted().forEach(route -> all.add("stream", route));
        return Digest.of(String.join("\n", all.parts), DIGITS);
    }

    private void add(String name, @Nullable String value) {
        if (value != null) {
            parts.add(name + "=" + value);
        }
    }

    private void add(String name, Database database) {
        add(name + ".connectionString", database.connectionString());
        add(name + ".endpoint", database.endpoint());
        add(name + ".database", database.database());
    }

    private void add(String name, @Nullable Heartbeat heartbeat) {
        add(name, heartbeat == null ? null : heartbeat.maxExpectedInterval());
    }

    private void add(String name, @Nullable CommandQueue queue) {
        add(name, queue == null ? null : queue.topic() + "\t" + queue.consumer());
    }

    private void add(String name, @Nullable DeadLetterQueue queue) {
        add(name, queue == null ? null : queue.topic());
    }

    private void add(String name, @Nullable KeyFilter filter) {
        add(name, filter == null ? null : filter.table());
    }

    private static String route(Stream stream) {
        String continues = stream.problemStrategy() == ProblemStrategy.CONTINUE ? "\tcontinue" : "";
        return stream.sourceTopic() + "\t" + stream.consumer() + "\t" + stream.destinationTable() + continues;
    }
}
