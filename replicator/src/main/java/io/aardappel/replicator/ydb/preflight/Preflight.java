package io.aardappel.replicator.ydb.preflight;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.SourceColumns;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.ydb.target.Descriptions;
import io.aardappel.replicator.ydb.target.DestinationTables;
import io.aardappel.replicator.ydb.target.DestinationTables.Reading;
import io.aardappel.replicator.ydb.target.StateTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;

/**
 * Looks at both databases before the lock is taken and tells everything that is wrong at once. Changes nothing. On its
 * way it fills the registry of destination tables. Waits; not for the engine's thread.
 */
public final class Preflight {
    private static final int STREAMS_AT_A_TIME = 8;

    private final Calls source;
    private final Calls destination;
    private final DestinationTables tables;
    private final Duration callTimeout;
    private final Topics sourceTopics;
    private final Descriptions sourceTables;
    private final Descriptions destinationTables;
    private final FeedCheck feeds;
    private final Map<String, SourceFeed> known = new ConcurrentHashMap<>();

    /**
     * A check that has not been made yet.
     *
     * @param tables gets the shape of every destination table that could be read
     * @param heartbeat longest expected time between two barriers
     * @param callTimeout of each call
     */
    public Preflight(
            Calls source, Calls destination, DestinationTables tables, Duration heartbeat, Duration callTimeout) {
        this.source = source;
        this.destination = destination;
        this.tables = tables;
        this.callTimeout = callTimeout;
        this.sourceTopics = new Topics(source, callTimeout);
        this.sourceTables = new Descriptions(source, callTimeout);
        this.destinationTables = new Descriptions(destination, callTimeout);
        this.feeds = new FeedCheck(heartbeat);
    }

    /**
     * Everything that was found, in the order of the streams; then the state table, then the places for problems.
     *
     * @param recorded whether the instance's checkpoint stands for a stream already; asked where something of it is
     *     missing, from any thread
     */
    public List<Finding> check(
            List<StreamSpec> streams, TableName stateTable, ProblemPlaces places, Predicate<StreamSpec> recorded) {
        Result<WhoAmIResult> from = whoAmI(source);
        Result<WhoAmIResult> to = whoAmI(destination);
        List<Finding> findings = new ArrayList<>();
        findings.addAll(answers("source", source, from.getStatus()));
        findings.addAll(answers("destination", destination, to.getStatus()));
        if (!findings.isEmpty()) {
            return findings; // each further question would only wait for nothing
        }
        Permissions permissions =
                to.isSuccess() ? Permissions.of(to.getValue()) : Permissions.of(WhoAmIResult.getDefaultInstance());
        findings.addAll(checkAll(streams, permissions, recorded));
        findings.addAll(sharedTables(streams));
        for (String problem : StateTables.check(destinationTables, destination.database(), stateTable)) {
            findings.add(Finding.error(
                    stateTable.absolutePath(destination.database()),
                    problem,
                    "Name another state table, or correct it"));
        }
        Topics topics = new Topics(destination, callTimeout);
        findings.addAll(
                new ProblemPlacesCheck(destination, destinationTables, topics, permissions, callTimeout).of(places));
        return findings;
    }

    /** A few streams at a time: there may be thousands. */
    private List<Finding> checkAll(List<StreamSpec> streams, Permissions permissions, Predicate<StreamSpec> recorded) {
        ExecutorService threads = Executors.newFixedThreadPool(STREAMS_AT_A_TIME);
        try {
            List<Future<List<Finding>>> checks = new ArrayList<>();
            for (StreamSpec stream : streams) {
                checks.add(threads.submit(() -> check(stream, permissions, recorded)));
            }
            List<Finding> findings = new ArrayList<>();
            for (Future<List<Finding>> one : checks) {
                findings.addAll(one.get());
            }
            return findings;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a check has a defect", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(Finding.unreachable("the checks", "they were interrupted"));
        } finally {
            threads.shutdownNow();
        }
    }

    /** Asks who we are, which every server answers. */
    private Result<WhoAmIResult> whoAmI(Calls calls) {
        return calls.call(
                DiscoveryServiceGrpc.getWhoAmIMethod(),
                WhoAmIRequest.newBuilder().setIncludeGroups(true).build(),
                callTimeout,
                WhoAmIResponse::getOperation,
                WhoAmIResult.class);
    }

    /** It answered at its {@link Doorstep}; it may have gone away since. */
    private static List<Finding> answers(String side, Calls calls, Status status) {
        return Refusals.isNoAnswer(status)
                ? List.of(Finding.unreachable(
                        "the " + side + " database " + calls.database(),
                        "it no longer answers: " + StatusText.of(status),
                        "See that the server is up"))
                : List.of();
    }

    /**
     * What is known of the stream's feed; unchecked where the source table could not be described. To be asked after
     * {@link #check}.
     */
    public SourceFeed feed(StreamSpec stream) {
        String topic = TableName.parse(stream.topic()).absolutePath(source.database());
        return known.computeIfAbsent(topic, unknown -> SourceFeed.of(FeedImages.UNCHECKED));
    }

    private List<Finding> check(StreamSpec stream, Permissions permissions, Predicate<StreamSpec> recorded) {
        List<Finding> findings = new ArrayList<>();
        String topic = TableName.parse(stream.topic()).absolutePath(source.database());
        // without the topic there is no feed to look at: what is said about it would only distract
        Optional<TableShape> from = checkTopic(topic, stream, recorded, findings)
                ? checkFeed(topic, stream, recorded, findings)
                : Optional.empty();
        Optional<TableShape> to = checkTable(stream, permissions, recorded, from, findings);
        if (from.isPresent() && to.isPresent()) {
            findings.addAll(TableCheck.of(
                    from.get(), to.get(), () -> Optional.of(stream).filter(recorded)));
        }
        return findings;
    }

    /** Answers whether the topic is there. */
    private boolean checkTopic(
            String topic, StreamSpec stream, Predicate<StreamSpec> recorded, List<Finding> findings) {
        Result<DescribeTopicResult> described = sourceTopics.describe(topic);
        if (!described.isSuccess()) {
            Status status = described.getStatus();
            String remedy = Refusals.isAbsent(status) && recorded.test(stream)
                    ? "If it is there, grant the right to see it. If it was dropped: " + howToReplaceTheFeed(stream)
                    : howToHaveTheFeed(topic, stream.consumer());
            findings.add(Refusals.of("the topic", topic, status, remedy));
            return false;
        }
        if (!Topics.has(described.getValue(), stream.consumer())) {
            findings.add(Finding.error(
                    topic,
                    "the topic has no consumer " + stream.consumer(),
                    Statements.addConsumer(topic, stream.consumer())));
        }
        return true;
    }

    /** Another feed knows nothing of what the checkpoint lacks. */
    private static String howToReplaceTheFeed(StreamSpec stream) {
        return "the checkpoint stands for this stream, and a feed that is made again has no past. "
                + Anew.bringIn(stream);
    }

    private String howToHaveTheFeed(String topic, String consumer) {
        int slash = topic.lastIndexOf('/');
        boolean isOfADatabase = topic.substring(0, slash).equals(source.database());
        return isOfADatabase
                ? "Correct src_topic, which is TABLE/FEED: name a feed of table " + topic + ", such as "
                        + topic.substring(slash + 1) + "/feed, or make that: "
                        + Statements.addFeed(topic, "feed", consumer)
                : "Correct src_topic, which is TABLE/FEED, or make the feed: "
                        + Statements.addFeed(topic.substring(0, slash), topic.substring(slash + 1), consumer);
    }

    private Optional<TableShape> checkFeed(
            String topic, StreamSpec stream, Predicate<StreamSpec> recorded, List<Finding> findings) {
        int slash = topic.lastIndexOf('/');
        String table = topic.substring(0, slash);
        Result<DescribeTableResult> described = sourceTables.table(table);
        if (!described.isSuccess() && !Refusals.isLasting(described.getStatus())) {
            findings.add(Finding.unreachable(
                    table, "the source table could not be described: " + StatusText.of(described.getStatus())));
            return Optional.empty();
        }
        if (!described.isSuccess()) {
            findings.add(Finding.warning(
                    table,
                    "the source table could not be described, so that feed and columns were not checked: "
                            + StatusText.of(described.getStatus()),
                    "Grant the right to describe the table; without it records that carry no column are refused"));
            return Optional.empty();
        }
        String feed = topic.substring(slash + 1);
        for (Finding found : feeds.of(topic, stream.consumer(), described.getValue())) {
            findings.add(
                    found.severity() == Finding.Severity.ERROR && recorded.test(stream)
                            ? Finding.error(topic, found.what(), "Mind that " + howToReplaceTheFeed(stream))
                            : found);
        }
        TableShape shape = Descriptions.shape(table, described.getValue());
        FeedCheck.images(feed, described.getValue())
                .ifPresent(images -> known.put(topic, new SourceFeed(images, new SourceColumns(shape))));
        return Optional.of(shape);
    }

    /** @param source what the destination table is to be like, absent where that is not known */
    private Optional<TableShape> checkTable(
            StreamSpec stream,
            Permissions permissions,
            Predicate<StreamSpec> recorded,
            Optional<TableShape> source,
            List<Finding> findings) {
        String path = TableName.parse(stream.table()).absolutePath(destination.database());
        Result<DescribeTableResult> described = destinationTables.table(path);
        if (!described.isSuccess()) {
            findings.add(Refusals.of(
                    "the destination table",
                    path,
                    described.getStatus(),
                    howToHaveTheTable(stream, path, recorded, source)));
            return Optional.empty();
        }
        if (described.getValue().getStoreType() == StoreType.STORE_TYPE_COLUMN) {
            findings.add(Finding.error(path, "the destination table is column-oriented", "Make it row-oriented"));
        }
        permissions
                .toWrite(path, "the destination table", described.getValue().getSelf())
                .ifPresent(findings::add);
        if (described.getValue().hasTtlSettings()) {
            findings.add(Finding.warning(
                    path,
                    "the destination table has a TTL and loses rows on its own",
                    "Remove the TTL; the source's deletions are replicated"));
        }
        Reading reading = tables.take(stream.table(), path, described.getValue());
        if (reading instanceof Reading.Incompatible incompatible) {
            findings.add(Finding.error(path, incompatible.why(), "Start the replicator again"));
        }
        return reading instanceof Reading.Known known ? Optional.of(known.shape()) : Optional.empty();
    }

    /** One that the checkpoint stands for is not just made again. */
    private static String howToHaveTheTable(
            StreamSpec stream, String path, Predicate<StreamSpec> recorded, Optional<TableShape> source) {
        String make = source.map(like -> ": " + Statements.createTable(path, like))
                .orElse(" with the source's columns and key");
        return recorded.test(stream)
                ? "Give back its name or the right to see it, or restore it as docs/runbooks/fatal/DESTINATION_FAILED.md says."
                        + " If it is lost: " + Anew.bringIn(stream) + ". Its third step makes the table" + make
                : "Correct dst_table; or, if it held a copy before, bring the stream in anew (" + Anew.PAGE
                        + "); or make the table" + make;
    }

    private static List<Finding> sharedTables(List<StreamSpec> streams) {
        Map<String, String> topics = new HashMap<>();
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : streams) {
            String other = topics.putIfAbsent(stream.table(), stream.topic());
            if (other != null) {
                findings.add(Finding.warning(
                        stream.table(),
                        "the streams of " + other + " and " + stream.topic() + " write this one table",
                        "Make sure that their keys never meet"));
            }
        }
        return findings;
    }
}
