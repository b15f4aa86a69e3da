package io.aardappel.operator.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.aardappel.contract.ConfigKeys;
import io.aardappel.crds.api.Authentication;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.DeadLetterFormat;
import io.aardappel.crds.api.Limits;
import io.aardappel.crds.api.LogLevel;
import io.aardappel.crds.api.ProblemStrategy;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ServiceAccountToken;
import io.aardappel.crds.api.Stream;
import io.aardappel.operator.plan.HeartbeatInterval;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files that pods read: the replicator's configuration, as a person would write it, and how tokens are exchanged. No secrets. */
final class ConfigText {
    /** The replicator's configuration. */
    static final String FILE = "replicator.yaml";

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES));
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    /** Keys below {@code replicator:}, beside those of {@link Side}. */
    static final String MEMORY = "memory";

    static final String TRANSACTION_ROWS = "transaction_rows";
    static final String TRANSACTION_BYTES = "transaction_bytes";
    static final String DEAD_LETTER_FORMAT = "dead_letter_format";

    private static final String CONTINUE = "continue";
    private static final String JWT = "urn:ietf:params:oauth:token-type:jwt";

    private ConfigText() {}

    /**
     * By file name.
     *
     * @param streams those of the resource that may run
     */
    static Map<String, String> of(Replication replication, List<Stream> streams) {
        ReplicationSpec spec = replication.getSpec();
        Map<String, String> files = new TreeMap<>();
        files.put(FILE, yaml(configuration(replication, spec, streams)));
        for (Side side : Side.values()) {
            ServiceAccountToken token = side.of(spec).auth().serviceAccountToken();
            if (token != null) {
                files.put(side.exchangeFile(), exchange(side, token));
            }
        }
        return files;
    }

    /** The instance: what the resource names, or namespace and name of it. */
    static String instanceId(Replication replication) {
        String named = replication.getSpec().instanceId();
        return named == null
                ? replication.getMetadata().getNamespace() + "/"
                        + replication.getMetadata().getName()
                : named;
    }

    private static Map<String, Object> configuration(
            Replication replication, ReplicationSpec spec, List<Stream> streams) {
        Map<String, Object> root = new LinkedHashMap<>();
        Map<String, Object> own = new LinkedHashMap<>();
        for (Side side : Side.values()) {
            database(side, side.of(spec), root, own);
        }
        root.put(ConfigKeys.STATE_TABLE, spec.stateTable());
        root.put(ConfigKeys.INSTANCE_ID, instanceId(replication));
        root.put(ConfigKeys.MULTIPLE_INSTANCES_MODE, true);
        root.put(
                ConfigKeys.MAX_EXPECTED_HEARTBEAT_INTERVAL,
                HeartbeatInterval.of(spec).toSeconds());
        root.put(ConfigKeys.LOG_LEVEL, level(spec.logLevel()));
        root.put(ConfigKeys.STREAMS, streams.stream().map(ConfigText::stream).toList());
        root.put(ConfigKeys.MON_SERVER, Map.of(ConfigKeys.LISTEN, ":" + Mounts.PORT));
        if (spec.commandQueue() != null) {
            Map<String, Object> queue = new LinkedHashMap<>();
            queue.put(ConfigKeys.PATH, spec.commandQueue().topic());
            queue.put(ConfigKeys.CONSUMER, spec.commandQueue().consumer());
            root.put(ConfigKeys.CMD_QUEUE, queue);
        }
        if (spec.deadLetterQueue() != null) {
            root.put(
                    ConfigKeys.DEAD_LETTER_QUEUE,
                    Map.of(ConfigKeys.PATH, spec.deadLetterQueue().topic()));
            if (spec.deadLetterQueue().format() == DeadLetterFormat.JSON) {
                own.put(DEAD_LETTER_FORMAT, "json");
            }
        }
        if (spec.keyFilter() != null) {
            root.put(
                    ConfigKeys.KEY_FILTER,
                    Map.of(ConfigKeys.TABLE_PATH, spec.keyFilter().table()));
        }
        limits(spec.limits(), own);
        if (!own.isEmpty()) {
            root.put(ConfigKeys.REPLICATOR, own);
        }
        return root;
    }

    private static void database(Side side, Database database, Map<String, Object> root, Map<String, Object> own) {
        root.put(side.connectionStringKey, connectionString(database));
        if (Boolean.TRUE.equals(database.allNodes())) {
            root.put(side.balancerKey, true);
        }
        Authentication auth = database.auth();
        if (auth.serviceAccountToken() != null) {
            root.put(side.oauth2FileKey, Mounts.CONFIG + "/" + side.exchangeFile());
        } else if (auth.oauth2SecretRef() != null) {
            root.put(side.oauth2FileKey, side.credentialFile());
        } else if (auth.staticTokenSecretRef() != null) {
            own.put(side.tokenFileKey(), side.credentialFile());
        }
        if (database.tls() != null) {
            own.put(side.caFileKey(), side.caFile());
        }
    }

    /** As it is written, or put together of endpoint and database. */
    static String connectionString(Database database) {
        String whole = database.connectionString();
        return whole == null ? database.endpoint() + database.database() : whole;
    }

    private static String level(@Nullable LogLevel level) {
        return (level == null ? LogLevel.INFO : level).name().toLowerCase(Locale.ROOT);
    }

    /**
     * The streams that a configuration of ours names, in its order.
     *
     * @throws JsonProcessingException when it is none of ours
     */
    static List<Stream> streams(String configuration) throws JsonProcessingException {
        List<Stream> streams = new ArrayList<>();
        for (JsonNode written : YAML.readTree(configuration).path(ConfigKeys.STREAMS)) {
            String strategy = written.path(ConfigKeys.PROBLEM_STRATEGY).asText("");
            String tag = written.path(ConfigKeys.MON_TAG).asText("");
            streams.add(new Stream(
                    written.path(ConfigKeys.SRC_TOPIC).asText(""),
                    written.path(ConfigKeys.CONSUMER).asText(""),
                    written.path(ConfigKeys.DST_TABLE).asText(""),
                    strategy.equals(CONTINUE) ? ProblemStrategy.CONTINUE : null,
                    tag.isEmpty() ? null : tag));
        }
        return streams;
    }

    private static Map<String, Object> stream(Stream stream) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put(ConfigKeys.SRC_TOPIC, stream.sourceTopic());
        written.put(ConfigKeys.CONSUMER, stream.consumer());
        written.put(ConfigKeys.DST_TABLE, stream.destinationTable());
        if (stream.problemStrategy() == ProblemStrategy.CONTINUE) {
            written.put(ConfigKeys.PROBLEM_STRATEGY, CONTINUE);
        }
        if (stream.monitoringTag() != null) {
            written.put(ConfigKeys.MON_TAG, stream.monitoringTag());
        }
        return written;
    }

    private static void limits(@Nullable Limits limits, Map<String, Object> own) {
        if (limits == null) {
            return;
        }
        if (limits.memory() != null) {
            own.put(MEMORY, bytes(limits.memory()));
        }
        if (limits.transactionRows() != null) {
            own.put(TRANSACTION_ROWS, limits.transactionRows());
        }
        if (limits.transactionBytes() != null) {
            own.put(TRANSACTION_BYTES, bytes(limits.transactionBytes()));
        }
    }

    /** Kubernetes writes sizes otherwise than the replicator; both read plain bytes alike. */
    private static long bytes(String quantity) {
        return Quantity.getAmountInBytes(Quantity.parse(quantity)).longValue();
    }

    /** The file that says how a token of a side is exchanged. */
    static String exchange(Side side, ServiceAccountToken token) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("subject_token_type", JWT);
        payload.put("subject_token", Map.of("type", "file", "file", side.credentialFile()));
        put("audience", token.exchange().audience(), payload);
        put("scope", token.exchange().scope(), payload);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("payload", payload);
        body.put("exchanger", Map.of("endpoint", token.exchange().endpoint()));
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("type", "oauth2_token_exchange");
        file.put("oauth2_token_exchange", body);
        return text(JSON, file);
    }

    private static void put(String member, @Nullable List<String> values, Map<String, Object> payload) {
        if (values != null && !values.isEmpty()) {
            payload.put(member, values);
        }
    }

    private static String yaml(Object value) {
        return text(YAML, value);
    }

    private static String text(ObjectMapper mapper, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException bug) {
            throw new IllegalStateException("maps of texts and numbers can be written", bug);
        }
    }
}
