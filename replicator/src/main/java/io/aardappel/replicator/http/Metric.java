package io.aardappel.replicator.http;

import java.util.List;

/**
 * Every metric of the replicator's own: its name, type and labels, and what it says, in the order of the reference page, which
 * is made from this. What the Java runtime says of itself ({@code jvm_*}, {@code process_*}, {@code system_*}) is not among
 * them.
 */
public enum Metric {
    MODIFICATIONS(
            Owner.GO,
            "modifications_count",
            Type.COUNTER,
            "Changes in committed transactions, before those of one key are folded."),
    MODIFICATIONS_PER_TABLE(
            Owner.GO, "modifications_count_per_table", Type.COUNTER, "The same for each stream.", "stream_tag"),
    COMMIT_LATENCY(
            Owner.GO,
            "commit_latency",
            Type.HISTOGRAM,
            "Seconds from the first request of a data transaction to its outcome, retries included."),
    QUORUM_WAITING_LATENCY(
            Owner.GO,
            "quorum_waiting_latency",
            Type.HISTOGRAM,
            "Seconds from the outcome of a transaction to the decision on the next."),
    REQUEST_SIZE(Owner.GO, "request_size_bytes", Type.COUNTER, "Bytes of changes in committed transactions."),
    LAG(
            Owner.GO,
            "replication_lag_estimation",
            Type.GAUGE,
            "Seconds from the checkpoint to now, by this machine's clock; only on the process that replicates, and only in"
                    + " stage RUN."),
    TOPIC_WITHOUT_HEARTBEAT(
            Owner.GO,
            "topic_without_hb",
            Type.GAUGE,
            "1 while a partition of the stream has had no heartbeat for max_expected_heartbeat_interval.",
            "stream_tag"),
    HEAP(Owner.GO, "go_heap_allocated", Type.GAUGE, "Bytes of the Java heap in use."),

    MODE(
            Owner.OURS,
            "mode",
            Type.GAUGE,
            "1 for what the process is doing: starting, standby, loading, active, stopping or ended.",
            "mode"),
    INITIAL_SCAN(Owner.OURS, "initial_scan", Type.GAUGE, "1 while the destination is in its initial scan."),
    LOCK_HELD(Owner.OURS, "lock_held", Type.GAUGE, "1 while this process holds the lock."),
    LOCK_TERMS(Owner.OURS, "lock_terms", Type.COUNTER, "How often this process took the lock."),
    ALIGNED(Owner.OURS, "aligned", Type.GAUGE, "1 while each checkpoint makes the tables a snapshot of the source."),
    CHECKPOINT_STEP(
            Owner.OURS,
            "checkpoint_step",
            Type.GAUGE,
            "Step of the checkpoint: milliseconds of the source's time. Absent where there is no lag."),
    PROGRESS_AGE(Owner.OURS, "progress_age_seconds", Type.GAUGE, "Time since the last transaction was committed."),
    BLOCKING(
            Owner.OURS,
            "blocking_seconds",
            Type.GAUGE,
            "How long progress has waited for this; absent while there is progress.",
            "reason",
            "stream",
            "partition"),
    BUFFERED_BYTES(Owner.OURS, "buffered_bytes", Type.GAUGE, "Bytes of changes read and not yet committed."),
    BUFFERED_CHANGES(Owner.OURS, "buffered_changes", Type.GAUGE, "Changes read and not yet committed."),
    MEMORY_BUDGET(Owner.OURS, "memory_budget_bytes", Type.GAUGE, "What buffered_bytes may grow to."),
    TRANSACTION_ROWS(Owner.OURS, "transaction_rows", Type.HISTOGRAM, "Rows of a committed transaction."),
    TRANSACTION_BYTES(Owner.OURS, "transaction_bytes", Type.HISTOGRAM, "Bytes of a committed transaction."),
    TRANSACTIONS(Owner.OURS, "transactions", Type.COUNTER, "Data transactions committed."),
    ROWS(Owner.OURS, "rows", Type.COUNTER, "Rows written, after folding changes of one key."),
    RECORDS(Owner.OURS, "records", Type.COUNTER, "Topic records read, of every kind."),
    RETRIES(Owner.OURS, "retries", Type.COUNTER, "Data transactions tried again, by cause.", "cause"),
    DROPPED_AS_APPLIED(
            Owner.OURS,
            "dropped_as_applied",
            Type.COUNTER,
            "Changes below the checkpoint, read again after a takeover and left out."),
    DUPLICATES(Owner.OURS, "duplicates", Type.COUNTER, "Records delivered again by the source and left out."),
    IGNORED_BARRIERS(Owner.OURS, "ignored_barriers", Type.COUNTER, "Heartbeats that repeated or went back."),
    LATE(Owner.OURS, "late", Type.COUNTER, "Changes below a heartbeat of their partition."),
    UNFIT(Owner.OURS, "unfit", Type.COUNTER, "Records that fit no row of the destination table."),
    FILTERED(Owner.OURS, "filtered", Type.COUNTER, "Records about rows that are left out by their keys."),
    APPLIED_BY_DECISION(
            Owner.OURS,
            "applied_by_decision",
            Type.COUNTER,
            "Records with problems that were written because it was decided so."),
    SKIPPED_BY_DECISION(
            Owner.OURS,
            "skipped_by_decision",
            Type.COUNTER,
            "Records with problems that were left out because it was decided so."),
    SCHEMA_CHANGES(
            Owner.OURS,
            "schema_changes",
            Type.COUNTER,
            "Records read that tell of a change of the source table's schema, of feeds with SCHEMA_CHANGES only.",
            "stream_tag"),
    STREAM_PARTITIONS(
            Owner.OURS, "stream_partitions", Type.GAUGE, "Partitions that the checkpoint waits for.", "stream_tag"),
    STREAM_PARTITIONS_WITH_HEARTBEAT(
            Owner.OURS,
            "stream_partitions_with_heartbeat",
            Type.GAUGE,
            "Those of them that have had a heartbeat; an initial scan waits for the first of each.",
            "stream_tag"),
    STREAM_HEARTBEAT_AGE(
            Owner.OURS,
            "stream_heartbeat_age_seconds",
            Type.GAUGE,
            "Time since the last heartbeat of the stream's most silent partition.",
            "stream_tag"),
    STREAM_HISTORY_LEFT(
            Owner.OURS,
            "stream_history_left_seconds",
            Type.GAUGE,
            "Time until the topic may forget the oldest message that is not committed, which would be HISTORY_LOST.",
            "stream_tag"),
    STREAM_RETENTION(
            Owner.OURS,
            "stream_retention_seconds",
            Type.GAUGE,
            "How long the topic keeps a message: its retention period.",
            "stream_tag"),
    STREAM_UNCOMMITTED(
            Owner.OURS,
            "stream_uncommitted_messages",
            Type.GAUGE,
            "Messages from the committed offsets to the ends of the stream's partitions.",
            "stream_tag"),
    PARTITION_HEARTBEAT_AGE(
            Owner.OURS,
            "partition_heartbeat_age_seconds",
            Type.GAUGE,
            "Time since the partition's last heartbeat; of the 100 most silent partitions.",
            "stream_tag",
            "partition"),
    TURN_AGE(Owner.OURS, "turn_age_seconds", Type.GAUGE, "Time since the engine's loop last turned.");

    /** Series of a family by partition at most: those that are worst. */
    static final int PARTITION_SERIES_MAX = 100;

    private static final String PREFIX = "aardappel_replicator_";

    /** Whose name a metric bears. */
    public enum Owner {
        /** The Go program's, as it stands. */
        GO,
        /** Ours, with our prefix. */
        OURS
    }

    /** The types of the Prometheus text format. */
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private final Owner owner;
    private final String name;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Metric(Owner owner, String name, Type type, String help, String... labels) {
        this.owner = owner;
        this.name = name;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    public Owner owner() {
        return owner;
    }

    public Type type() {
        return type;
    }

    /** One sentence, or more, of what its value says. */
    public String help() {
        return help;
    }

    /** Names of its labels, none as a rule. */
    public List<String> labels() {
        return labels;
    }

    /** The name that the Prometheus client is given, which adds {@code _total} to that of a counter. */
    String family() {
        return owner == Owner.GO ? name : PREFIX + name;
    }

    /** The name in a scrape. */
    public String exposed() {
        return owner == Owner.OURS && type == Type.COUNTER ? family() + "_total" : family();
    }
}
