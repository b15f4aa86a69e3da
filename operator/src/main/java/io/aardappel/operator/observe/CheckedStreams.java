package io.aardappel.operator.observe;

import io.aardappel.access.failure.Cause;
import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.contract.TableName;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import io.aardappel.operator.plan.StreamKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResponse;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/**
 * Asks both databases whether topic, consumer and table of a stream are there: when a resource first names it, and again once a
 * minute while it does, over a connection of its own each time, by a bounded number of threads. Changes nothing. Thread-safe.
 */
public final class CheckedStreams implements StreamBook, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedStreams.class);
    private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

    /** What nobody has asked for so long is forgotten. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final PolledStates.Destinations sources;
    private final PolledStates.Destinations destinations;
    private final InstantSource clock;
    private final ExecutorService threads;
    /** By the resource's uid. */
    private final Map<String, Subject> subjects = new ConcurrentHashMap<>();

    /**
     * Asks over connections of these kinds.
     *
     * @param sources opens the source of a resource
     * @param number of threads
     */
    public CheckedStreams(
            PolledStates.Destinations sources,
            PolledStates.Destinations destinations,
            InstantSource clock,
            int number) {
        this.sources = sources;
        this.destinations = destinations;
        this.clock = clock;
        this.threads = Executors.newFixedThreadPool(number, task -> {
            Thread made = new Thread(task, "new-streams");
            made.setDaemon(true);
            return made;
        });
    }

    @Override
    public Map<Stream, String> of(Replication resource, List<Stream> streams) {
        Instant now = clock.instant();
        String uid = resource.getMetadata().getUid();
        subjects.values().removeIf(subject -> subject.asked.isBefore(now.minus(KEPT)));
        if (streams.isEmpty()) {
            subjects.remove(uid);
            return Map.of();
        }
        Subject subject = subjects.compute(
                uid,
                (id, known) -> known != null
                                && known.streams.equals(streams)
                                && known.resource
                                        .getSpec()
                                        .source()
                                        .equals(resource.getSpec().source())
                                && known.resource
                                        .getSpec()
                                        .destination()
                                        .equals(resource.getSpec().destination())
                        ? known
                        : new Subject(resource, streams, now));
        return subject.look(now);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** The streams of one resource. */
    private final class Subject {
        private final Replication resource;
        private final List<Stream> streams;
        private volatile Instant asked;
        private volatile Map<Stream, String> said = Map.of();
        /** Guarded by this. */
        private Instant next;

        Subject(Replication resource, List<Stream> streams, Instant now) {
            this.resource = resource;
            this.streams = List.copyOf(streams);
            this.asked = now;
            this.next = now;
        }

        synchronized Map<Stream, String> look(Instant now) {
            asked = now;
            if (!now.isBefore(next)) {
                next = now.plus(AGAIN_AFTER);
                threads.execute(this::check);
            }
            return said;
        }

        private void check() {
            Map<Stream, String> found = new HashMap<>();
            try {
                found.putAll(found());
            } catch (RuntimeException away) {
                String why = "it cannot be checked, " + Cause.of(away);
                LOG.atDebug()
                        .addKeyValue("namespace", resource.getMetadata().getNamespace())
                        .addKeyValue("name", resource.getMetadata().getName())
                        .log("new streams: {}", why);
                streams.forEach(stream -> found.put(stream, why));
            }
            said = Map.copyOf(found);
        }

        private Map<Stream, String> found() {
            Map<Stream, String> found = new HashMap<>();
            try (GrpcTransport source = sources.open(resource);
                    GrpcTransport destination = destinations.open(resource)) {
                for (Stream stream : streams) {
                    found.put(
                            stream,
                            topic(
                                            new Calls(source),
                                            StreamKey.of(
                                                    stream, resource.getSpec().source()))
                                    .or(() -> table(new Calls(destination), stream.destinationTable()))
                                    .orElse(""));
                }
            }
            return found;
        }
    }

    private static Optional<String> topic(Calls calls, StreamKey key) {
        Result<DescribeTopicResult> answer = calls.call(
                TopicServiceGrpc.getDescribeTopicMethod(),
                DescribeTopicRequest.newBuilder().setPath(key.topic()).build(),
                CALL_TIMEOUT,
                DescribeTopicResponse::getOperation,
                DescribeTopicResult.class);
        if (!answer.isSuccess()) {
            return Optional.of(absent("the source", "topic " + key.topic(), answer.getStatus()));
        }
        // Servers of some versions tell consumers with a path in front.
        boolean there = answer.getValue().getConsumersList().stream()
                .map(consumer -> consumer.getName())
                .anyMatch(name -> name.equals(key.consumer()) || name.endsWith("/" + key.consumer()));
        return there ? Optional.empty() : Optional.of("topic " + key.topic() + " has no consumer " + key.consumer());
    }

    private static Optional<String> table(Calls calls, String table) {
        String path = TableName.parse(table).absolutePath(calls.database());
        Result<DescribePathResult> answer = calls.call(
                SchemeServiceGrpc.getDescribePathMethod(),
                DescribePathRequest.newBuilder().setPath(path).build(),
                CALL_TIMEOUT,
                DescribePathResponse::getOperation,
                DescribePathResult.class);
        if (!answer.isSuccess()) {
            return Optional.of(absent("the destination", "table " + path, answer.getStatus()));
        }
        Entry.Type type = answer.getValue().getSelf().getType();
        return type == Entry.Type.TABLE ? Optional.empty() : Optional.of(path + " of the destination is no table");
    }

    /** YDB answers alike where something is not there, and where one may not see it. */
    private static String absent(String database, String what, Status status) {
        return status.getCode() == StatusCode.SCHEME_ERROR
                ? database + " has no " + what + ", or lets nobody see it who logs in as the pods do"
                : database + " says nothing of " + what + ": " + StatusText.of(status);
    }
}
