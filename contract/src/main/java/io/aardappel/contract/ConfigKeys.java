package io.aardappel.contract;

/**
 * Keys of the configuration file. All but {@link #REPLICATOR} and what stands below it are the Go program's, spelled as
 * there; the Go program ignores the rest.
 */
public final class ConfigKeys {
    public static final String SRC_CONNECTION_STRING = "src_connection_string";
    public static final String SRC_CLIENT_BALANCER = "src_client_balancer";
    public static final String SRC_OAUTH2_FILE = "src_oauth2_file";
    public static final String SRC_STATIC_TOKEN = "src_static_token";
    public static final String SRC_OAUTH2_ENDPOINT = "src_oauth2_endpoint";
    public static final String DST_CONNECTION_STRING = "dst_connection_string";
    public static final String DST_CLIENT_BALANCER = "dst_client_balancer";
    public static final String DST_OAUTH2_FILE = "dst_oauth2_file";
    public static final String DST_STATIC_TOKEN = "dst_static_token";
    public static final String DST_OAUTH2_ENDPOINT = "dst_oauth2_endpoint";

    public static final String STATE_TABLE = "state_table";
    public static final String INSTANCE_ID = "instance_id";
    public static final String MULTIPLE_INSTANCES_MODE = "multiple_instances_mode";
    /** Whole seconds; the lock lives twice as long. */
    public static final String MAX_EXPECTED_HEARTBEAT_INTERVAL = "max_expected_heartbeat_interval";

    public static final String LOG_LEVEL = "log_level";

    public static final String STREAMS = "streams";
    public static final String SRC_TOPIC = "src_topic";
    public static final String CONSUMER = "consumer";
    public static final String DST_TABLE = "dst_table";
    public static final String PROBLEM_STRATEGY = "problem_strategy";
    public static final String MON_TAG = "mon_tag";

    public static final String MON_SERVER = "mon_server";
    public static final String LISTEN = "listen";

    public static final String CMD_QUEUE = "cmd_queue";
    public static final String DEAD_LETTER_QUEUE = "dead_letter_queue";
    public static final String PATH = "path";
    public static final String KEY_FILTER = "key_filter";
    public static final String TABLE_PATH = "table_path";

    /** The one top-level key that holds what this replicator has beyond the Go program. */
    public static final String REPLICATOR = "replicator";

    private ConfigKeys() {}
}
