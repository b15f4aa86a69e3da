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
     * @param tries how often each call of the checks is made that is not answered in time
     * @throws IOException when a certificate file cannot be read
     */
    static Opening open(ReplicatorConfig config, Tickets tickets, int tries) throws IOException {
        Doorstep.Side from = Side.source(config, tickets.source());
        Doorstep.Side to = Side.destination(config, tickets.destination());
        List<Finding> findings = new ArrayList<>(tickets.obtain());
        if (!findings.isEmpty()) {
            return new Opening(Optional.empty(), findings);
        }
        Duration callTimeout = config.tuning().get(Tuning.CALL_TIMEOUT);
        Doorstep.check(from, callTimeout, tries).ifPresent(findings::add);
        Doorstep.check(to, callTimeout, tries).ifPresent(findings::add);
        return findings.isEmpty()
                ? open(config, from.connection(), to.connection(), tries)
                : new Opening(Optional.empty(), findings);
    }

    private static Opening open(ReplicatorConfig config, Connection from, Connection to, int tries) {
        GrpcTransport source;
        try {
            source = from.open();
        } catch (RuntimeException refused) {
            return new Opening(Optional.empty(), List.of(discoveryFailed("source", from, refused)));
        }
        try {
            return new Opening(Optional.of(of(config, source, to.open(), tries)), List.of());
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

    private static Databases of(ReplicatorConfig config, GrpcTransport source, GrpcTransport destination, int tries) {
        Duration callTimeout = config.tuning().get(Tuning.CALL_TIMEOUT);
        Calls calls = new Calls(destination).tried(tries);
        DestinationTables tables =
                new DestinationTables(new Descriptions(calls, callTimeout), destination.getDatabase());
        Preflight preflight =
                new Preflight(new Calls(source).tried(tries), calls, tables, config.heartbeat(), callTimeout);
        return new Databases(source, destination, tables, preflight);
    }

    /** Everything that does not fit, in the order of the streams. Waits. */
    List<Finding> check(ReplicatorConfig config) {
        return preflight.check(
                streams(config),
                TableName.parse(config.stateTablePath()),
                problemPlaces(config),
                new RecordedMembers(() -> state(config)));
    }

    /** What is wrong with the beginning that a start would make. Waits. */
    List<Finding> beginning(ReplicatorConfig config) {
        try (StateView view = state(config)) {
            return beginning(config, view, view.look());
        }
    }

    /** All that a start would be told; while a database is away no more than that. Waits. */
    List<Finding> checkAgain(ReplicatorConfig config) {
        List<Finding> findings = new ArrayList<>(check(config));
        if (findings.stream().noneMatch(finding -> finding.severity() == Finding.Severity.UNREACHABLE)) {
            findings.addAll(beginning(config));
        }
        return findings;
    }

    /** @param found what the view found just now */
    List<Finding> beginning(ReplicatorConfig config, StateView view, StateView.Found found) {
        if (found instanceof StateView.Found.Lost lost) {
            return List.of(new Finding(
                    Finding.Severity.ERROR,
                    "instance " + config.instanceId(),
                    lost.problem().what(),
                    lost.problem().remedy()));
        }
        List<StreamSpec> streams = streams(config);
        boolean seen = found instanceof StateView.Found.Nothing || found instanceof StateView.Found.Saved;
        List<StreamSpec> begun = streams.stream()
                .filter(stream -> seen && !RecordedMembers.isMember(found, stream))
                .toList();
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

    /** Each is described once, when it is first asked for. */
    private Function<StreamSpec, Optional<Described>> topics(ReplicatorConfig config) {
        TopicDescriber describer = describer(config);
        Map<StreamSpec, Optional<Described>> described = new HashMap<>();
        return stream -> described.computeIfAbsent(stream, unknown -> {
            Result<Described> answer = describer.describe(0, stream.topic(), stream.consumer());
            return answer.isSuccess() ? Optional.of(answer.getValue()) : Optional.empty();
        });
    }

    /** Asks for a person, so as often as need be. */
    TopicDescriber describer(ReplicatorConfig config) {
        return new TopicDescriber(
                new Calls(source).tried(config.tuning().get(Tuning.CALL_TRIES)),
                config.tuning().get(Tuning.CALL_TIMEOUT));
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
