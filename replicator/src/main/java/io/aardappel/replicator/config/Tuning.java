package io.aardappel.replicator.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values of the {@code replicator} section: what bounds memory, transactions, waits and retries. Immutable. */
public final class Tuning {
    public static final Setting<Long> MEMORY = Setting.size(
            "memory",
            "256MiB",
            "1MiB",
            "64GiB",
            "Changes held in memory at most; reading pauses above it. At most half of the Java heap; the default at most a quarter.");
    public static final Setting<Integer> TRANSACTION_ROWS = Setting.count(
            "transaction_rows",
            "changes",
            10_000,
            1,
            1_000_000,
            "Changes a transaction aims at; a backlog is cut there.");
    public static final Setting<Integer> TRANSACTION_ROWS_MAX = Setting.count(
            "transaction_rows_max",
            "changes",
            100_000,
            1,
            10_000_000,
            "Changes of one position, which cannot be cut, above which it is decided about like a record that does not fit.");
    public static final Setting<Long> TRANSACTION_BYTES = Setting.size(
            "transaction_bytes", "8MiB", "1KiB", "1GiB", "Bytes a transaction aims at; a backlog is cut there.");
    public static final Setting<Long> TRANSACTION_BYTES_MAX = Setting.size(
            "transaction_bytes_max",
            "45MiB",
            "1KiB",
            "4GiB",
            "Bytes of one position, which cannot be cut, above which it is decided about like a record that does not fit.");
    public static final Setting<Long> CALL_BYTES = Setting.size(
            "call_bytes",
            "40MiB",
            "64KiB",
            "48MiB",
            "Parameters of one call; what exceeds it is spread over calls of the same transaction.");
    public static final Setting<Duration> TRANSACTION_TIMEOUT = Setting.duration(
            "transaction_timeout", "5s", "100ms", "10m", "How long one attempt of a data transaction may take.");
    public static final Setting<Duration> CALL_TIMEOUT = Setting.duration(
            "call_timeout",
            "3s",
            "100ms",
            "10m",
            "How long any other call to a database may take, those of the lock among them.");
    public static final Setting<Integer> CALL_TRIES = Setting.count(
            "call_tries",
            "tries",
            4,
            1,
            100,
            "How often such a call is tried when the server says that it may be; by `--check` and commands, each time for the"
                    + " whole call_timeout, also when no answer came in time.");
    public static final Setting<Duration> CONNECT_TIMEOUT = Setting.duration(
            "connect_timeout", "10s", "100ms", "10m", "How long the first connection to a database may take.");
    public static final Setting<Duration> RETRY_PAUSE_MAX = Setting.duration(
            "retry_pause_max",
            "5s",
            "10ms",
            "10m",
            "Longest pause before a data transaction is tried again; the first is a hundredth of it.");
    public static final Setting<Duration> RETRY_TIME_MAX = Setting.duration(
            "retry_time_max",
            "10m",
            "1s",
            "24h",
            "How long one data transaction, or at the start a database that does not answer, is tried before the process ends.");
    public static final Setting<Duration> LOCK_WAIT = Setting.duration(
            "lock_wait",
            "55s",
            "1s",
            "24h",
            "How long a process waits for the lock where multiple_instances_mode is false.");
    public static final Setting<Duration> OFFSET_MIRROR_INTERVAL = Setting.duration(
            "offset_mirror_interval",
            "5s",
            "100ms",
            "1m",
            "How often topic offsets are committed. They are noted in the destination first, so that a consumer which somebody"
                    + " moved is noticed; a successor reads again at most what came in so long.");
    public static final Setting<Duration> DESCRIBE_INTERVAL = Setting.duration(
            "describe_interval",
            "30s",
            "1s",
            "10m",
            "How often each topic is asked what partitions it has and where its consumer stands, beside the times when"
                    + " something tells of a change.");
    public static final Setting<Duration> SCAN_ALLOWANCE = Setting.duration(
            "scan_allowance",
            "5s",
            "0ms",
            "10m",
            "How far the clocks of this machine and of the source may differ when the end of an initial scan is chosen.");
    public static final Setting<Long> READ_CREDIT = Setting.size(
            "read_credit",
            "8MiB",
            "64KiB",
            "1GiB",
            "Bytes of messages that may be on their way, over all topic streams, beside `memory`.");
    public static final Setting<Integer> TOPIC_STREAMS = Setting.count(
            "topic_streams",
            "streams",
            256,
            2,
            10_000,
            "Topic streams at most; half as many partitions have one of their own, the others share.");
    public static final Setting<Integer> PARTITIONS_PER_STREAM =
            Setting.count("partitions_per_stream", "partitions", 32, 1, 1_000, "Partitions that share a topic stream.");
    public static final Setting<Duration> SCHEMA_WAIT = Setting.duration(
            "schema_wait",
            "30s",
            "0ms",
            "24h",
            "How long a column is waited for that records carry and their destination table lacks, before they count as"
                    + " records that do not fit.");
    public static final Setting<Duration> COMMAND_WAIT = Setting.duration(
            "command_wait",
            "5s",
            "100ms",
            "1m",
            "How long the next message of the command queue is waited for; the first twelve times as long.");
    public static final Setting<Duration> KEY_FILTER_INTERVAL = Setting.duration(
            "key_filter_interval", "30s", "1s", "1h", "How often the table of blocked keys is read again.");
    public static final Setting<Duration> LIVE_TIMEOUT = Setting.duration(
            "live_timeout", "30s", "1s", "1h", "How long the engine may stand still before /livez says so.");
    public static final Setting<Duration> SHUTDOWN_TIMEOUT = Setting.duration(
            "shutdown_timeout", "10s", "100ms", "10m", "How long a requested stop may take before it is forced.");

    /** Every key with a number in it, in the order of the reference page. */
    public static final List<Setting<?>> SETTINGS = List.of(
            MEMORY,
            TRANSACTION_ROWS,
            TRANSACTION_ROWS_MAX,
            TRANSACTION_BYTES,
            TRANSACTION_BYTES_MAX,
            CALL_BYTES,
            TRANSACTION_TIMEOUT,
            CALL_TIMEOUT,
            CALL_TRIES,
            CONNECT_TIMEOUT,
            RETRY_PAUSE_MAX,
            RETRY_TIME_MAX,
            LOCK_WAIT,
            OFFSET_MIRROR_INTERVAL,
            DESCRIBE_INTERVAL,
            SCAN_ALLOWANCE,
            READ_CREDIT,
            TOPIC_STREAMS,
            PARTITIONS_PER_STREAM,
            SCHEMA_WAIT,
            COMMAND_WAIT,
            KEY_FILTER_INTERVAL,
            LIVE_TIMEOUT,
            SHUTDOWN_TIMEOUT);

    private final Map<String, Comparable<?>> values;

    private Tuning(Map<String, Comparable<?>> values) {
        this.values = values;
    }

    /** @param heapBytes what the process has; holds the memory budget to a part of it */
    static Tuning read(Section section, long heapBytes) {
        Map<String, Comparable<?>> values = new HashMap<>();
        SETTINGS.forEach(setting -> values.put(setting.key(), section.setting(setting)));
        Tuning tuning = new Tuning(values);
        tuning.fitMemory(section, heapBytes);
        tuning.order(section, TRANSACTION_BYTES_MAX, MEMORY);
        tuning.order(section, TRANSACTION_BYTES, TRANSACTION_BYTES_MAX);
        tuning.order(section, READ_CREDIT, MEMORY);
        tuning.order(section, TRANSACTION_ROWS, TRANSACTION_ROWS_MAX);
        tuning.order(section, RETRY_PAUSE_MAX, RETRY_TIME_MAX);
        return tuning;
    }

    /** So that a process ends at its start and not when a backlog comes. */
    private void fitMemory(Section section, long heapBytes) {
        long budget = get(MEMORY);
        if (!section.has(MEMORY.key())) {
            values.put(MEMORY.key(), Math.min(budget, heapBytes / 4));
        } else if (budget > heapBytes / 2) {
            section.wrong(
                    MEMORY.key(),
                    MEMORY.print().apply(budget),
                    "is more than half of the Java heap of " + (heapBytes >> 20) + " MiB",
                    "lower it, or give the process more memory or JDK_JAVA_OPTIONS=-Xmx");
        }
    }

    /** One value may not exceed another. A default gives way; two that were written are a problem. */
    private <T extends Comparable<T>> void order(Section section, Setting<T> lower, Setting<T> upper) {
        if (get(lower).compareTo(get(upper)) <= 0) {
            return;
        }
        if (!section.has(lower.key())) {
            values.put(lower.key(), get(upper));
        } else if (!section.has(upper.key())) {
            values.put(upper.key(), get(lower));
        } else {
            section.wrong(
                    lower.key(),
                    lower.print().apply(get(lower)),
                    "is above %s %s".formatted(upper.key(), upper.print().apply(get(upper))),
                    "lower it or raise the other");
        }
    }

    /** The value of a key, in its range. */
    public <T extends Comparable<T>> T get(Setting<T> setting) {
        @SuppressWarnings("unchecked") // read() put what the setting parsed
        T value = (T) values.getOrDefault(setting.key(), setting.fallback());
        return value;
    }

    /** A size that is known to fit, since its range ends below 2 GiB. */
    public int getInt(Setting<Long> size) {
        return Math.toIntExact(get(size));
    }

    /** Every default. */
    public static Tuning defaults() {
        return new Tuning(Map.of());
    }

    /** Every key with its value as the file would write it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        SETTINGS.forEach(setting -> text.append(text.isEmpty() ? "" : ", ").append(print(setting)));
        return text.toString();
    }

    private <T extends Comparable<T>> String print(Setting<T> setting) {
        return setting.key() + "=" + setting.print().apply(get(setting));
    }
}
