package io.aardappel.emulator.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aardappel.emulator.control.ControlServer.Command;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.tokens.TokenDesk;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every command of the control interface; {@code emulator/README.md} documents them. */
public final class Commands {
    private final ServerContext context;
    private final Runnable restartNode;

    private Commands(ServerContext context, Runnable restartNode) {
        this.context = context;
        this.restartNode = restartNode;
    }

    /**
     * The commands by method and path.
     *
     * @param tokens of the token service, null where there is none
     */
    public static Map<String, Command> of(ServerContext context, Runnable restartNode, @Nullable TokenDesk tokens) {
        Commands commands = new Commands(context, restartNode);
        Map<String, Command> byPath = new LinkedHashMap<>();
        byPath.put("GET /health", (path, body) -> commands.health());
        byPath.put("GET /faults", (path, body) -> commands.faults());
        byPath.put("POST /faults", (path, body) -> commands.addFault(body));
        byPath.put("DELETE /faults", (path, body) -> commands.clearFaults());
        byPath.put("DELETE /faults/" + ControlServer.ANY, (path, body) -> commands.removeFault(path[1]));
        byPath.put("POST /seed", (path, body) -> commands.seed(body));
        byPath.put("POST /access", (path, body) -> commands.access(body));
        byPath.put("POST /node/restart", (path, body) -> commands.restart());
        byPath.put("POST /clock/jump", (path, body) -> commands.jumpClock(body));
        byPath.put("POST /shards/split", (path, body) -> commands.splitShard(body));
        byPath.put("POST /shards/merge", (path, body) -> commands.mergeShards(body));
        byPath.put("POST /partitions/split", (path, body) -> commands.splitPartition(body));
        byPath.put("POST /partitions/merge", (path, body) -> commands.mergePartitions(body));
        if (tokens != null) {
            byPath.put("GET /tokens", (path, body) -> TokenRules.show(tokens));
            byPath.put("POST /tokens", (path, body) -> TokenRules.apply(body, tokens));
            byPath.put("POST /tokens/expire", (path, body) -> TokenRules.expire(tokens));
        }
        return byPath;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private ObjectNode health() {
        ObjectNode health = object().put("status", "ok");
        context.databases()
                .all()
                .forEach(tenant -> health.withArray("databases").add(tenant.path()));
        return health.put("sessions", context.sessions().count())
                .put("streams", context.streams().count());
    }

    private ObjectNode faults() {
        ObjectNode faults = object();
        var rules = faults.putArray("rules");
        context.faults().active().forEach(active -> rules.add(FaultRules.write(active)));
        ObjectNode fired = faults.putObject("fired");
        context.faults().fired().forEach((fault, count) -> fired.put(fault.word(), count));
        return faults;
    }

    private ObjectNode addFault(JsonNode body) {
        return object().put("id", context.faults().add(FaultRules.read(body)));
    }

    private ObjectNode clearFaults() {
        context.faults().clear();
        return object().put("removed", "all");
    }

    private ObjectNode removeFault(String id) {
        Faults faults = context.faults();
        long number = Long.parseLong(id);
        if (!faults.remove(number)) {
            throw new IllegalArgumentException("no rule has the number " + id);
        }
        return object().put("removed", number);
    }

    private ObjectNode seed(JsonNode body) {
        long seed = number(body, "seed");
        context.faults().reseed(seed);
        return object().put("seed", seed);
    }

    private ObjectNode access(JsonNode body) {
        return AccessRules.apply(
                text(body, "user"), text(body, "path"), body, context.accounts().permissions());
    }

    private ObjectNode restart() {
        restartNode.run();
        return object().put("restarted", true);
    }

    private ObjectNode jumpClock(JsonNode body) {
        String database = text(body, "database");
        long millis = number(body, "ms");
        context.databases().named(database).database().jumpClock(millis);
        return object().put("ms", millis);
    }

    private ObjectNode splitShard(JsonNode body) {
        String path = text(body, "path");
        Tenant tenant = tenant(path);
        TableSchema table = tenant.database().describeTable(path).schema();
        boolean split = tenant.database().splitShard(path, key(table, body.path("at")));
        return object().put("split", split);
    }

    private static List<@Nullable Object> key(TableSchema table, JsonNode values) {
        if (!values.isArray()
                || values.isEmpty()
                || values.size() > table.primaryKey().size()) {
            throw new IllegalArgumentException("'at' must be a list of 1 to "
                    + table.primaryKey().size() + " values for the key columns " + table.primaryKey());
        }
        List<@Nullable Object> key = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Column column = table.columns().get(table.indexOf(table.primaryKey().get(i)));
            key.add(value(column, values.get(i)));
        }
        return key;
    }

    /** Keys of whole numbers and texts are enough to split at. */
    private static Object value(Column column, JsonNode value) {
        Type type = column.type();
        if (type == Primitive.UTF8 && value.isTextual()) {
            return value.asText();
        }
        boolean whole = type == Primitive.INT8
                || type == Primitive.UINT8
                || type == Primitive.INT16
                || type == Primitive.UINT16
                || type == Primitive.INT32
                || type == Primitive.UINT32
                || type == Primitive.INT64
                || type == Primitive.UINT64;
        if (whole && value.isIntegralNumber()) {
            return value.bigIntegerValue().longValue();
        }
        throw new IllegalArgumentException("cannot split at " + value + " in column " + column.name() + " of type "
                + type + ": the control interface takes whole numbers and Utf8");
    }

    private ObjectNode mergeShards(JsonNode body) {
        String path = text(body, "path");
        int shard = Math.toIntExact(number(body, "shard"));
        tenant(path).database().mergeShards(path, shard);
        return object().put("merged", true);
    }

    private ObjectNode splitPartition(JsonNode body) {
        Topic topic = topic(body);
        BigInteger boundary = body.hasNonNull("boundary")
                ? new BigInteger(body.get("boundary").asText(), 16)
                : null;
        ObjectNode result = object();
        var children = result.putArray("children");
        int partition = Math.toIntExact(number(body, "partition"));
        tenant(topic.path())
                .database()
                .standingStill(() -> topic.split(partition, boundary).forEach(children::add));
        return result;
    }

    private ObjectNode mergePartitions(JsonNode body) {
        JsonNode both = body.path("partitions");
        if (both.size() != 2) {
            throw new IllegalArgumentException("'partitions' must name two neighbours");
        }
        Topic topic = topic(body);
        ObjectNode result = object();
        tenant(topic.path())
                .database()
                .standingStill(() -> result.put(
                        "child", topic.merge(both.get(0).asInt(), both.get(1).asInt())));
        return result;
    }

    private Topic topic(JsonNode body) {
        String path = text(body, "path");
        return tenant(path).topics().get(path);
    }

    private Tenant tenant(String path) {
        return context.databases().containing(path);
    }

    private static String text(JsonNode body, String key) {
        if (!body.path(key).isTextual()) {
            throw new IllegalArgumentException("'" + key + "' is missing or no text");
        }
        return body.path(key).asText();
    }

    private static long number(JsonNode body, String key) {
        if (!body.path(key).isIntegralNumber()) {
            throw new IllegalArgumentException("'" + key + "' is missing or no whole number");
        }
        return body.path(key).asLong();
    }
}
