package io.aardappel.bench.drain;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Four source tables of four shards whose changefeeds are filled while nobody reads them, and copies to be written. */
final class Backlog {
    static final int TABLES = 4;
    static final int PARTITIONS = 4;
    /** Rows of one transaction of the source. */
    static final int TRANSACTION = 1_000;

    private final BareYdb ydb;
    private final List<Row> rows = Row.all();
    private long written;

    Backlog(BareYdb ydb) {
        this.ydb = ydb;
    }

    static List<String> topics() {
        return names("source").stream().map(table -> table + "/feed").toList();
    }

    static List<String> names(String prefix) {
        return IntStream.range(0, TABLES).mapToObj(i -> prefix + i).toList();
    }

    /** @param copies prefixes of the tables that are written into */
    void create(List<String> consumers, List<String> copies) {
        for (String table : names("source")) {
            ydb.define("CREATE TABLE " + table + " " + Row.DEFINITION + " WITH (PARTITION_AT_KEYS = "
                    + Row.borders(PARTITIONS) + ")");
            ydb.define("ALTER TABLE " + table + " ADD CHANGEFEED feed WITH (MODE = 'UPDATES', FORMAT = 'JSON', "
                    + "VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))");
            consumers.forEach(consumer -> ydb.define("ALTER TOPIC `" + table + "/feed` ADD CONSUMER " + consumer));
        }
        for (String prefix : copies) {
            names(prefix)
                    .forEach(table -> ydb.define("CREATE TABLE " + table + " " + Row.DEFINITION
                            + " WITH (PARTITION_AT_KEYS = " + Row.borders(PARTITIONS) + ")"));
        }
    }

    /** Changes so many rows more, the tables in turn. */
    void write(long changes) {
        for (long end = written + changes; written < end; written += TRANSACTION) {
            int transaction = (int) (written / TRANSACTION);
            int first = transaction / TABLES * TRANSACTION % Row.DIFFERENT;
            ydb.upsert(Map.of("source" + transaction % TABLES, rows.subList(first, first + TRANSACTION)));
        }
    }

    long written() {
        return written;
    }

    /**
     * The file for a replicator of all four.
     *
     * @param emulator connection string
     */
    static String config(String emulator) {
        StringBuilder yaml = new StringBuilder("""
                src_connection_string: "%1$s"
                dst_connection_string: "%1$s"
                state_table: state
                instance_id: bench
                multiple_instances_mode: true
                max_expected_heartbeat_interval: 10
                log_level: info
                streams:
                """.formatted(emulator));
        for (int i = 0; i < TABLES; i++) {
            yaml.append("""
                      - src_topic: "%s"
                        consumer: replicator
                        dst_table: "%s"
                    """.formatted(topics().get(i), names("copy").get(i)));
        }
        return yaml.toString();
    }
}
