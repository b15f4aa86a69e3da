package io.aardappel.replicator.app;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.TransactionBounds;
import io.aardappel.replicator.engine.Decisions;
import io.aardappel.replicator.engine.Engine;
import io.aardappel.replicator.engine.EngineObserver;
import io.aardappel.replicator.engine.EngineSettings;
import io.aardappel.replicator.engine.Inbox;
import io.aardappel.replicator.engine.Ticker;
import io.aardappel.replicator.ydb.target.TargetSettings;
import io.aardappel.replicator.ydb.target.YdbTarget;
import io.aardappel.replicator.ydb.topics.ReaderSettings;
import io.aardappel.replicator.ydb.topics.TopicSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.SplittableRandom;

/** The engine with its ports, wired. Closing ends the ports; the databases stay open. */
record Replication(Engine engine, TopicSource source, YdbTarget target) implements AutoCloseable {
    private static final Duration CALL_PAUSE_MAX = Duration.ofSeconds(1);

    static Replication wire(
            ReplicatorConfig config, Databases databases, Ticker ticker, EngineObserver observer, Seams seams) {
        Inbox inbox = new Inbox();
        EngineSettings settings = engineSettings(config);
        TopicSource source = new TopicSource(
                databases.source(),
                databases.tables(),
                databases.preflight()::images,
                readerSettings(config),
                new SplittableRandom());
        YdbTarget target = new YdbTarget(
                databases.destination(),
                identity(config),
                targetSettings(config),
                databases.tables(),
                seams.discipline());
        target.start(inbox);
        Engine engine = new Engine(
                settings,
                new Engine.Ports(source, target, Decisions.alwaysStop(inbox), ticker, observer),
                inbox,
                new SplittableRandom(),
                seams.rules());
        return new Replication(engine, source, target);
    }

    private static EngineSettings engineSettings(ReplicatorConfig config) {
        Tuning tuning = config.tuning();
        return new EngineSettings(
                config.instanceId(),
                Databases.streams(config),
                config.heartbeat(),
                config.waitForLock(),
                lockTtl(config),
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
        TargetSettings standard = TargetSettings.of(lockTtl(config));
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
    private static Duration lockTtl(ReplicatorConfig config) {
        return config.heartbeat().multipliedBy(2);
    }

    /** In a pod this is the pod's name, so that the lock's owner names the pod. */
    private static String hostname() {
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
    }
}
