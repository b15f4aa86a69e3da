package io.aardappel.replicator.app;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.config.ProblemHandling;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.TransactionBounds;
import io.aardappel.replicator.engine.Engine;
import io.aardappel.replicator.engine.EngineObserver;
import io.aardappel.replicator.engine.EngineSettings;
import io.aardappel.replicator.engine.Inbox;
import io.aardappel.replicator.engine.Ticker;
import io.aardappel.replicator.problems.CommandQueue;
import io.aardappel.replicator.problems.DeadLetterFormat;
import io.aardappel.replicator.problems.DeadLetters;
import io.aardappel.replicator.problems.ProblemDesk;
import io.aardappel.replicator.problems.StreamPolicy;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import io.aardappel.replicator.problems.TopicCommands;
import io.aardappel.replicator.problems.TopicDeadLetters;
import io.aardappel.replicator.ydb.target.BlockedKeys;
import io.aardappel.replicator.ydb.target.TargetSettings;
import io.aardappel.replicator.ydb.target.YdbTarget;
import io.aardappel.replicator.ydb.topics.ReaderSettings;
import io.aardappel.replicator.ydb.topics.TopicSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The engine with its ports, wired. Closing ends the ports; the databases stay open. */
record Replication(Engine engine, TopicSource source, YdbTarget target, ProblemDesk desk) implements AutoCloseable {
    /** Longest pause between two tries of one call to the destination. */
    static final Duration CALL_PAUSE_MAX = Duration.ofSeconds(1);

    static Replication wire(
            ReplicatorConfig config, Databases databases, Ticker ticker, EngineObserver observer, Seams seams) {
        Inbox inbox = new Inbox();
        EngineSettings settings = engineSettings(config);
        List<StreamSpec> specs = Databases.streams(config);
        BlockedKeys blocked = new BlockedKeys(config.keyFilterPath()
                .map(path -> new BlockedKeys.Source(
                        path, config.instanceId(), config.tuning().get(Tuning.KEY_FILTER_INTERVAL))));
        TopicSource source = new TopicSource(
                databases.source(),
                databases.tables(),
                databases.preflight()::feed,
                spec -> blocked.of(config.streams().get(specs.indexOf(spec)).destinationTable()),
                readerSettings(config),
                new SplittableRandom());
        YdbTarget target = new YdbTarget(
                databases.destination(),
                identity(config),
                targetSettings(config),
                databases.tables(),
                blocked,
                seams.discipline());
        target.start(inbox);
        ProblemDesk desk = desk(config, databases, inbox);
        Engine engine = new Engine(
                settings,
                new Engine.Ports(source, target, desk, ticker, observer),
                inbox,
                new SplittableRandom(),
                seams.rules());
        return new Replication(engine, source, target, desk);
    }

    private static ProblemDesk desk(ReplicatorConfig config, Databases databases, Inbox inbox) {
        Tuning tuning = config.tuning();
        ProblemHandling handling = config.problems();
        List<StreamSpec> specs = Databases.streams(config);
        List<StreamPolicy> policies = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            StreamConfig stream = config.streams().get(i);
            policies.add(new StreamPolicy(
                    specs.get(i), stream.sourceTopic(), stream.continues() ? Strategy.CONTINUE : Strategy.STOP));
        }
        Optional<CommandQueue> commands = handling.commands()
                .map(queue -> new TopicCommands(
                        databases.destination(), queue.path(), queue.consumer(), tuning.get(Tuning.COMMAND_WAIT)));
        Optional<DeadLetters> deadLetters = handling.deadLetters()
                .map(path -> new TopicDeadLetters(databases.destination(), path, tuning.get(Tuning.CALL_TIMEOUT)));
        DeadLetterFormat format = switch (handling.deadLetterFormat()) {
            case TEXT -> DeadLetterFormat.TEXT;
            case JSON -> DeadLetterFormat.JSON;
        };
        return new ProblemDesk(
                new ProblemDesk.Settings(
                        config.instanceId(),
                        policies,
                        format,
                        tuning.get(Tuning.RETRY_TIME_MAX),
                        tuning.get(Tuning.CALL_TIMEOUT),
                        tuning.get(Tuning.RETRY_PAUSE_MAX)),
                commands,
                deadLetters,
                databases.tables(),
                inbox);
    }

    private static EngineSettings engineSettings(ReplicatorConfig config) {
        Tuning tuning = config.tuning();
        return new EngineSettings(
                config.instanceId(),
                Databases.streams(config),
                config.heartbeat(),
                config.waitForLock(),
                lockTtl(config.heartbeat()),
                tuning.get(Tuning.LOCK_WAIT),
                tuning.get(Tuning.MEMORY),
                new TransactionBounds(
                        tuning.get(Tuning.TRANSACTION_ROWS),
                        tuning.get(Tuning.TRANSACTION_BYTES),
                        tuning.get(Tuning.TRANSACTION_ROWS_MAX),
                        tuning.get(Tuning.TRANSACTION_BYTES_MAX)),
                tuning.get(Tuning.RETRY_PAUSE_MAX),
                tuning.get(Tuning.RETRY_TIME_MAX),
                tuning.get(Tuning.OFFSET_MIRROR_INTERVAL),
                tuning.get(Tuning.DESCRIBE_INTERVAL),
                tuning.get(Tuning.SCAN_ALLOWANCE));
    }

    private static ReaderSettings readerSettings(ReplicatorConfig config) {
        Tuning tuning = config.tuning();
        ReaderSettings standard = ReaderSettings.of(tuning.get(Tuning.READ_CREDIT), config.heartbeat());
        Duration pauseMax = tuning.get(Tuning.RETRY_PAUSE_MAX);
        return new ReaderSettings(
                standard.creditBytes(),
                Math.min(standard.creditBytesMin(), standard.creditBytes()),
                tuning.get(Tuning.TOPIC_STREAMS),
                tuning.get(Tuning.PARTITIONS_PER_STREAM),
                tuning.get(Tuning.SCHEMA_WAIT),
                standard.schemaPause(),
                standard.decodeThreads(),
                standard.reconnectPauseFirst().compareTo(pauseMax) < 0 ? standard.reconnectPauseFirst() : pauseMax,
                pauseMax,
                standard.refusalPatience(),
                tuning.get(Tuning.CONNECT_TIMEOUT),
                standard.silenceMax(),
                tuning.get(Tuning.CALL_TIMEOUT),
                standard.noticeInterval(),
                standard.tokenCheckInterval(),
                standard.closeTimeout());
    }

    static TargetSettings targetSettings(ReplicatorConfig config) {
        Tuning tuning = config.tuning();
        TargetSettings standard = TargetSettings.of(lockTtl(config.heartbeat()));
        Duration pauseMax = tuning.get(Tuning.RETRY_PAUSE_MAX);
        return new TargetSettings(
                standard.lockTtl(),
                tuning.get(Tuning.CALL_TIMEOUT),
                tuning.get(Tuning.TRANSACTION_TIMEOUT),
                standard.resolveTimeout(),
                standard.pauseMin().compareTo(pauseMax) < 0 ? standard.pauseMin() : pauseMax,
                CALL_PAUSE_MAX.compareTo(pauseMax) < 0 ? CALL_PAUSE_MAX : pauseMax,
                tuning.get(Tuning.CALL_TRIES),
                standard.callTextBytes(),
                tuning.getInt(Tuning.CALL_BYTES),
                standard.returnedRows());
    }

    /** The instance's row, and this machine as it will be seen to hold its lock. */
    static YdbTarget.Identity identity(ReplicatorConfig config) {
        return new YdbTarget.Identity(TableName.parse(config.stateTablePath()), config.instanceId(), hostname());
    }

    /** The Go program's formula; both must judge a holder dead at the same moment. */
    static Duration lockTtl(Duration heartbeat) {
        return heartbeat.multipliedBy(2);
    }

    /** In a pod this is the pod's name, so that the lock's owner names the pod. */
    static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }

    @Override
    public void close() {
        source.close();
        target.close();
        desk.close();
    }
}
