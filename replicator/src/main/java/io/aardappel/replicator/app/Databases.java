package io.aardappel.replicator.app;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.Connection;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.config.ProblemHandling;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.SourceEvent.Described;
import io.aardappel.replicator.ydb.preflight.Doorstep;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Neighbourhood;
import io.aardappel.replicator.ydb.preflight.Preflight;
import io.aardappel.replicator.ydb.preflight.ProblemPlaces;
import io.aardappel.replicator.ydb.preflight.ScanTargets;
import io.aardappel.replicator.ydb.preflight.Shortfalls;
import io.aardappel.replicator.ydb.target.Descriptions;
import io.aardappel.replicator.ydb.target.DestinationTables;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.topics.TopicDescriber;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;

/** Both databases, open, and what is known of their tables. */
record Databases(GrpcTransport source, GrpcTransport destination, DestinationTables tables, Preflight preflight)
        implements AutoCloseable {
    /** What came of opening them: databases, or what is wrong with one or both of them, never neither. */
    record Opening(Optional<Databases> databases, List<Finding> findings) {}

    /**
     * Opens both, or none. Waits.
     *
     * @param tickets that calls carry; they are obtained when they are not yet
     *
     * @throws IOException when a certificate file cannot be read
     */
    static Opening open(ReplicatorConfig config, Tickets tickets) throws IOException {
        Doorstep.Side from = Side.source(config, tickets.source());
        Doorstep.Side to = Side.destination(config, tickets.destination());
        List<Finding> findings = new ArrayList<>(tickets.obtain());
        if (!findings.isEmpty()) {
            return new Opening(Optional.empty(), findings);
        }
        Duration callTimeout = config.tuning().get(Tuning.CALL_TIMEOUT);
        Doorstep.check(from, callTimeout).ifPresent(findings::add);
        Doorstep.check(to, callTimeout).ifPresent(findings::add);
        return findings.isEmpty()
                ? open(config, from.connection(), to.connection())
                : new Opening(Optional.empty(), findings);
    }

    private static Opening open(ReplicatorConfig config, Connection from, Connection to) {
        GrpcTransport source;
        try {
            source = from.open();
        } catch (RuntimeException refused) {
            return new Opening(Optional.empty(), List.of(discoveryFailed("source", from, refused)));
        }
        try {
            return new Opening(Optional.of(of(config, source, to.open())), List.of());
        } catch (RuntimeException refused) {
            source.close();
            return new Opening(Optional.empty(), List.of(discoveryFailed("destination", to, refused)));
        }
    }

    /** Only discovery can fail here: its server was talked to a moment ago. */
    static Finding discoveryFailed(String side, Connection connection, RuntimeException refused) {
        return new Finding(
                Finding.Severity.UNREACHABLE,
                "the " + side + " database " + connection,
                "discovery of its nodes failed: " + refused.getMessage(),
                "See that the database is well; without the client balancer only the named endpoint is used");
    }

    private static Databases of(ReplicatorConfig config, GrpcTransport source, GrpcTransport destination) {
        Duration callTimeout = config.tuning().get(Tuning.CALL_TIMEOUT);
        Calls calls = new Calls(destination);
        DestinationTables tables =
                new DestinationTables(new Descriptions(calls, callTimeout), destination.getDatabase());
        Preflight preflight = new Preflight(new Calls(source), calls, tables, config.heartbeat(), callTimeout);
        return new Databases(source, destination, tables, preflight);
    }

    /** Everything that does not fit, in the order of the streams. Waits. */
    List<Finding> check(ReplicatorConfig config) {
        return preflight.check(streams(config), TableName.parse(config.stateTablePath()), problemPlaces(config));
    }

    /** What is wrong with the beginning that a start would make. Waits. */
    List<Finding> beginning(ReplicatorConfig config) {
        try (StateView view = state(config)) {
            return beginning(config, view, view.look());
        }
    }

    /** @param found what the view found just now */
    List<Finding> beginning(ReplicatorConfig config, StateView view, StateView.Found found) {
        List<StreamSpec> streams = streams(config);
        List<StreamSpec> begun =
                streams.stream().filter(stream -> !isMember(found, stream)).toList();
        Function<StreamSpec, Optional<Described>> topics = topics(config);
        Neighbourhood neighbourhood = begun.isEmpty()
                ? Neighbourhood.none()
                : Neighbourhood.of(view.neighbours(), view.identity().stateTable(), destination.getDatabase(), topics);
        List<Finding> findings = new ArrayList<>(neighbourhood.check(begun));
        findings.addAll(ScanTargets.check(view, found, streams, destination.getDatabase(), neighbourhood));
        findings.addAll(Shortfalls.check(
                view, found, streams, destination.getDatabase(), tables.created(), topics, neighbourhood));
        return findings;
    }

    private static boolean isMember(StateView.Found found, StreamSpec stream) {
        return found instanceof StateView.Found.Saved saved
                && saved.state().streams().stream().anyMatch(row -> row.isMember(stream));
    }

    /** Each is described once, when it is first asked for. */
    private Function<StreamSpec, Optional<Described>> topics(ReplicatorConfig config) {
        TopicDescriber describer =
                new TopicDescriber(new Calls(source), config.tuning().get(Tuning.CALL_TIMEOUT));
        Map<StreamSpec, Optional<Described>> described = new HashMap<>();
        return stream -> described.computeIfAbsent(stream, unknown -> {
            Result<Described> answer = describer.describe(0, stream.topic(), stream.consumer());
            return answer.isSuccess() ? Optional.of(answer.getValue()) : Optional.empty();
        });
    }

    /** Looks whether initial scans of this process bring what the source has. */
    ScanReview scanReview(ReplicatorConfig config, Logger log) {
        List<ScanReview.Pair> pairs = config.streams().stream()
                .map(stream -> new ScanReview.Pair(
                        stream.sourceTopicPath()
                                .substring(0, stream.sourceTopicPath().lastIndexOf('/')),
                        stream.destinationTablePath()))
                .toList();
        return new ScanReview(
                log,
                source,
                destination,
                Replication.targetSettings(config),
                pairs,
                config.tuning().get(Tuning.SCAN_ALLOWANCE));
    }

    /** What is kept of the instance, for whoever closes it. */
    StateView state(ReplicatorConfig config) {
        return new StateView(destination, Replication.identity(config), Replication.targetSettings(config));
    }

    private static ProblemPlaces problemPlaces(ReplicatorConfig config) {
        ProblemHandling handling = config.problems();
        return new ProblemPlaces(
                handling.commands().map(queue -> new ProblemPlaces.Queue(queue.path(), queue.consumer())),
                handling.deadLetters(),
                config.keyFilterPath());
    }

    /** The configured streams by absolute paths, so that another spelling of the same stream is the same stream. */
    static List<StreamSpec> streams(ReplicatorConfig config) {
        return config.streams().stream()
                .map(stream ->
                        new StreamSpec(stream.sourceTopicPath(), stream.consumer(), stream.destinationTablePath()))
                .toList();
    }

    @Override
    public void close() {
        source.close();
        destination.close();
    }
}
