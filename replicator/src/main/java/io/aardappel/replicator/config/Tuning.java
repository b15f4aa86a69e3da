package io.aardappel.replicator.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values of the {@code replicator} section: what bounds memory, transactions, waits and retries. Immutable. */
public final class Tuning {
    public static final Setting<Long> MEMORY = Setting.size(
            "memory", "256MiB", "32MiB", "64GiB", "Records held in memory before reading from the source pauses.");
    public static final Setting<Integer> TRANSACTION_ROWS = Setting.count(
            "transaction_rows", "rows", 5_000, 1, 100_000, "Rows a transaction aims at; a backlog is cut there.");
    public static final Setting<Integer> TRANSACTION_ROWS_MAX = Setting.count(
            "transaction_rows_max",
            "rows",
            50_000,
            1,
            1_000_000,
            "Rows of one position above which the replication stops instead of trying.");
    public static final Setting<Long> TRANSACTION_BYTES = Setting.size(
            "transaction_bytes", "8MiB", "1KiB", "40MiB", "Bytes a transaction aims at; a backlog is cut there.");
    public static final Setting<Long> TRANSACTION_BYTES_MAX = Setting.size(
            "transaction_bytes_max",
            "40MiB",
            "1KiB",
            "1GiB",
            "Bytes of one position above which the replication stops instead of trying.");
    public static final Setting<Integer> SCAN_ROWS =
            Setting.count("scan_rows", "rows", 1_000, 1, 100_000, "Rows a transaction of the initial scan aims at.");
    public static final Setting<Long> CALL_BYTES =
            Setting.size("call_bytes", "40MiB", "1KiB", "48MiB", "Parameters of one call; more is spread over calls.");
    public static final Setting<Duration> TRANSACTION_TIMEOUT = Setting.duration(
            "transaction_timeout", "5s", "100ms", "10m", "How long one attempt of a data transaction may take.");
    public static final Setting<Duration> REQUEST_TIMEOUT = Setting.duration(
            "request_timeout", "5s", "100ms", "10m", "How long any other call to a database may take.");
    public static final Setting<Duration> CONNECT_TIMEOUT = Setting.duration(
            "connect_timeout", "10s", "100ms", "10m", "How long the first connection to a database may take.");
    public static final Setting<Duration> RETRY_DELAY = Setting.duration(
            "retry_delay", "50ms", "1ms", "1m", "Wait before the first retry; it doubles with each, with jitter.");
    public static final Setting<Duration> RETRY_DELAY_MAX =
            Setting.duration("retry_delay_max", "5s", "1ms", "10m", "Longest wait between two retries.");
    public static final Setting<Duration> LOCK_WAIT = Setting.duration(
            "lock_wait",
            "55s",
            "1s",
            "24h",
            "How long a process waits for the lock where multiple_instances_mode is false.");
    public static final Setting<Long> READ_CREDIT = Setting.size(
            "read_credit", "8MiB", "64KiB", "1GiB", "Bytes that a topic stream may have on its way at most.");
    public static final Setting<Integer> PARTITIONS_PER_STREAM = Setting.count(
            "partitions_per_stream",
            "partitions",
            16,
            1,
            10_000,
            "Partitions read through one topic stream; those of one stream share its credit.");
    public static final Setting<Duration> OFFSET_COMMIT_INTERVAL = Setting.duration(
            "offset_commit_interval", "1s", "10ms", "1m", "How often topic offsets are committed at most.");
    public static final Setting<Duration> CLOCK_ALLOWANCE = Setting.duration(
            "clock_allowance",
            "5s",
            "0ms",
            "10m",
            "How far the clocks of this machine and of the source may differ when a scan's end is chosen.");
    public static final Setting<Duration> SHUTDOWN_TIMEOUT = Setting.duration(
            "shutdown_timeout", "10s", "100ms", "10m", "How long a requested stop may take before it is forced.");

    /** Every key with a number in it, in the order of the reference page. */
    public static final List<Setting<?>> SETTINGS = List.of(
            MEMORY,
            TRANSACTION_ROWS,
            TRANSACTION_ROWS_MAX,
            TRANSACTION_BYTES,
            TRANSACTION_BYTES_MAX,
            SCAN_ROWS,
            CALL_BYTES,
            TRANSACTION_TIMEOUT,
            REQUEST_TIMEOUT,
            CONNECT_TIMEOUT,
            RETRY_DELAY,
            RETRY_DELAY_MAX,
            LOCK_WAIT,
            READ_CREDIT,
            PARTITIONS_PER_STREAM,
            OFFSET_COMMIT_INTERVAL,
            CLOCK_ALLOWANCE,
            SHUTDOWN_TIMEOUT);

    private final Map<String, Comparable<?>> values;

    private Tuning(Map<String, Comparable<?>> values) {
        this.values = values;
    }

    static Tuning read(Section section) {
        Map<String, Comparable<?>> values = new HashMap<>();
        SETTINGS.forEach(setting -> values.put(setting.key(), section.setting(setting)));
        Tuning tuning = new Tuning(values);
        tuning.checkOrder(section, TRANSACTION_ROWS, TRANSACTION_ROWS_MAX);
        tuning.checkOrder(section, SCAN_ROWS, TRANSACTION_ROWS_MAX);
        tuning.checkOrder(section, TRANSACTION_BYTES, TRANSACTION_BYTES_MAX);
        tuning.checkOrder(section, RETRY_DELAY, RETRY_DELAY_MAX);
        tuning.checkOrder(section, TRANSACTION_BYTES_MAX, MEMORY);
        return tuning;
    }

    private <T extends Comparable<T>> void checkOrder(Section section, Setting<T> lower, Setting<T> upper) {
        if (get(lower).compareTo(get(upper)) > 0) {
            String key = section.has(lower.key()) ? lower.key() : upper.key();
            section.wrong(
                    key,
                    null,
                    "%s %s is above %s %s"
                            .formatted(
                                    lower.key(),
                                    lower.print().apply(get(lower)),
                                    upper.key(),
                                    upper.print().apply(get(upper))),
                    "lower the first or raise the second");
        }
    }

    /** The value of a key, in its range. */
    public <T extends Comparable<T>> T get(Setting<T> setting) {
        @SuppressWarnings("unchecked") // read() put what the setting parsed
        T value = (T) values.getOrDefault(setting.key(), setting.fallback());
        return value;
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
