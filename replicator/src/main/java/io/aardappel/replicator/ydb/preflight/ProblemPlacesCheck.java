package io.aardappel.replicator.ydb.preflight;

import static io.aardappel.contract.ConfigKeys.CMD_QUEUE;
import static io.aardappel.contract.ConfigKeys.CONSUMER;
import static io.aardappel.contract.ConfigKeys.DEAD_LETTER_QUEUE;
import static io.aardappel.contract.ConfigKeys.KEY_FILTER;
import static io.aardappel.contract.ConfigKeys.PATH;
import static io.aardappel.contract.ConfigKeys.TABLE_PATH;

import io.aardappel.access.ydb.Calls;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.ydb.target.Descriptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;

/**
 * Whether the command queue, the dead letters and the table of blocked keys are what they are used as. Findings name the
 * key of the file beside the object. Changes nothing; waits.
 */
final class ProblemPlacesCheck {
    private static final String COMMANDS = CMD_QUEUE + "." + PATH;
    private static final String DEAD_LETTERS = DEAD_LETTER_QUEUE + "." + PATH;
    private static final String BLOCKED_KEYS = KEY_FILTER + "." + TABLE_PATH;

    private static final String INSTANCE_ID = "instance_id";
    private static final String KEY = "key";
    private static final List<String> BLOCKED_KEY = List.of(INSTANCE_ID, KEY);
    private static final Map<String, String> BLOCKED_TYPES = Map.of(INSTANCE_ID, "Utf8", KEY, "String");

    private final Calls destination;
    private final Descriptions tables;
    private final Topics topics;
    private final Permissions permissions;
    /** Longer than the day that is the server's default: somebody has to read them. */
    private static final String KEPT = " WITH (retention_period = Interval('P7D'))";

    private final Duration callTimeout;
    private final List<Finding> findings = new ArrayList<>();

    /** @param callTimeout of each call */
    ProblemPlacesCheck(
            Calls destination, Descriptions tables, Topics topics, Permissions permissions, Duration callTimeout) {
        this.destination = destination;
        this.tables = tables;
        this.topics = topics;
        this.permissions = permissions;
        this.callTimeout = callTimeout;
    }

    /** Everything that was found, command queue first. */
    List<Finding> of(ProblemPlaces places) {
        places.commands().ifPresent(this::commands);
        places.deadLetters().ifPresent(this::deadLetters);
        places.blockedKeys().ifPresent(this::blockedKeys);
        return findings;
    }

    private void commands(ProblemPlaces.Queue queue) {
        String object = object(queue.path(), COMMANDS);
        String consumer = "CONSUMER `" + queue.consumer() + "`";
        String create = "CREATE TOPIC `" + queue.path() + "` (" + consumer + ")" + KEPT;
        topic(object, queue.path(), "the command queue", create).ifPresent(described -> {
            if (!Topics.has(described, queue.consumer())) {
                findings.add(Finding.error(
                        object,
                        "the command queue has no consumer " + queue.consumer(),
                        "ALTER TOPIC `" + queue.path() + "` ADD " + consumer + ", or correct " + CMD_QUEUE + "."
                                + CONSUMER));
            }
            permissions.toRead(object, "the command queue", described.getSelf()).ifPresent(findings::add);
        });
    }

    private void deadLetters(String path) {
        String object = object(path, DEAD_LETTERS);
        String create = "CREATE TOPIC `" + path + "`" + KEPT;
        topic(object, path, "the topic of dead letters", create)
                .flatMap(described -> permissions.toWrite(object, "the topic of dead letters", described.getSelf()))
                .ifPresent(findings::add);
    }

    private Optional<DescribeTopicResult> topic(String object, String path, String what, String create) {
        Result<DescribeTopicResult> described = topics.describe(path);
        if (described.isSuccess()) {
            return Optional.of(described.getValue());
        }
        notDescribed(object, path, what, described.getStatus(), "a topic", create);
        return Optional.empty();
    }

    private void blockedKeys(String path) {
        String object = object(path, BLOCKED_KEYS);
        String create = "CREATE TABLE `" + path + "` (" + INSTANCE_ID + " Utf8, " + KEY + " String, PRIMARY KEY ("
                + INSTANCE_ID + ", " + KEY + "))";
        Result<DescribeTableResult> described = tables.table(path);
        if (!described.isSuccess()) {
            notDescribed(object, path, "the table of blocked keys", described.getStatus(), "a table", create);
            return;
        }
        DescribeTableResult table = described.getValue();
        String remedy = "Name another table, or make this one anew: " + create;
        if (table.getStoreType() == StoreType.STORE_TYPE_COLUMN) {
            findings.add(Finding.error(object, "the table of blocked keys is column-oriented", remedy));
        }
        shape(object, Descriptions.shape(path, table), table.getPrimaryKeyList(), remedy);
        permissions.toRead(object, "the table of blocked keys", table.getSelf()).ifPresent(findings::add);
    }

    private void shape(String object, TableShape shape, List<String> key, String remedy) {
        if (!key.equals(BLOCKED_KEY)) {
            findings.add(Finding.error(object, "its primary key is " + key + " instead of " + BLOCKED_KEY, remedy));
        }
        for (String name : BLOCKED_KEY) {
            int ordinal = shape.ordinal(name);
            String type = ordinal < 0 ? "" : shape.column(ordinal).type().toString();
            String wanted = BLOCKED_TYPES.getOrDefault(name, "");
            if (!type.equals(wanted)) {
                findings.add(Finding.error(
                        object,
                        "it has column " + name + (type.isEmpty() ? " missing" : " of type " + type) + " instead of "
                                + wanted,
                        remedy));
            }
        }
        for (Column column : shape.columns()) {
            if (!BLOCKED_KEY.contains(column.name()) && column.notNull() && !column.hasDefault()) {
                findings.add(Finding.warning(
                        object,
                        "its column " + column.name() + " is NOT NULL without default, so that `key-filter add` fails",
                        "Remove the column, or give it a default"));
            }
        }
    }

    /** Something else may be in its place, which other words help against. */
    private void notDescribed(String object, String path, String what, Status status, String kind, String create) {
        Optional<Entry> there = Refusals.isAbsent(status) ? entry(path) : Optional.empty();
        findings.add(there.map(entry -> Finding.error(
                        object,
                        what + " must be " + kind + " and is "
                                + entry.getType().name().toLowerCase(Locale.ROOT),
                        "Name another path; one is made by: " + create))
                .orElseGet(() -> Refusals.of(what, object, status, create + ", or correct the path")));
    }

    private Optional<Entry> entry(String path) {
        Result<DescribePathResult> described = destination.call(
                SchemeServiceGrpc.getDescribePathMethod(),
                DescribePathRequest.newBuilder().setPath(path).build(),
                callTimeout,
                DescribePathResponse::getOperation,
                DescribePathResult.class);
        return described.isSuccess() ? Optional.of(described.getValue().getSelf()) : Optional.empty();
    }

    private static String object(String path, String key) {
        return path + " (" + key + ")";
    }
}
