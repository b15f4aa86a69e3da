package io.aardappel.e2e.world;

import java.util.List;
import java.util.Map;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.Value;

/** Tables that belong together: accounts, transfers between them, and orders with their lines. */
public final class Shop {
    static final String ACCOUNTS = "accounts";
    static final String TRANSFERS = "transfers";
    static final String ORDERS = "orders";
    static final String LINES = "order_lines";

    /**
     * One table.
     *
     * @param columns its columns with their types and keys, as CREATE TABLE takes them
     */
    public record Table(String name, String columns) {
        /**
         * The statement that makes it.
         *
         * @param partitions shards from the first day, spread evenly over the key; 1 leaves it to the server
         */
        public String create(int partitions) {
            String split = partitions == 1 ? "" : " WITH (UNIFORM_PARTITIONS = " + partitions + ")";
            return "CREATE TABLE `" + name + "` (" + columns + ")" + split + ";";
        }

        /** The statement that adds its changefeed {@code feed}, as the replicator needs it, with an initial scan. */
        public String addFeed() {
            return "ALTER TABLE `" + name + "` ADD CHANGEFEED `feed` WITH (FORMAT = 'JSON', MODE = 'UPDATES', "
                    + "VIRTUAL_TIMESTAMPS = TRUE, INITIAL_SCAN = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'), "
                    + "TOPIC_MIN_ACTIVE_PARTITIONS = 2);";
        }

        /** The statement that adds a consumer to that changefeed. */
        public String addConsumer(String consumer) {
            return "ALTER TOPIC `" + name + "/feed` ADD CONSUMER `" + consumer + "`;";
        }
    }

    /** All of them. */
    public static final List<Table> TABLES = List.of(
            new Table(ACCOUNTS, "id Uint64 NOT NULL, owner Utf8, balance Int64, PRIMARY KEY (id)"),
            new Table(TRANSFERS, "id Uint64 NOT NULL, source Uint64, target Uint64, amount Int64, PRIMARY KEY (id)"),
            new Table(ORDERS, "id Uint64 NOT NULL, account Uint64, total Int64, note Utf8, PRIMARY KEY (id)"),
            new Table(
                    LINES,
                    "id Uint64 NOT NULL, line Uint32 NOT NULL, goods Utf8, price Int64, PRIMARY KEY (id, line)"));

    private static final StructType ACCOUNT = StructType.of(Map.of(
            "id", PrimitiveType.Uint64,
            "owner", PrimitiveType.Text,
            "balance", PrimitiveType.Int64));
    private static final StructType BALANCE =
            StructType.of(Map.of("id", PrimitiveType.Uint64, "balance", PrimitiveType.Int64));
    private static final StructType TRANSFER = StructType.of(Map.of(
            "id", PrimitiveType.Uint64,
            "source", PrimitiveType.Uint64,
            "target", PrimitiveType.Uint64,
            "amount", PrimitiveType.Int64));
    private static final StructType ORDER = StructType.of(Map.of(
            "id", PrimitiveType.Uint64,
            "account", PrimitiveType.Uint64,
            "total", PrimitiveType.Int64,
            "note", PrimitiveType.Text));
    private static final StructType LINE = StructType.of(Map.of(
            "id", PrimitiveType.Uint64,
            "line", PrimitiveType.Uint32,
            "goods", PrimitiveType.Text,
            "price", PrimitiveType.Int64));
    private static final StructType LINE_KEY =
            StructType.of(Map.of("id", PrimitiveType.Uint64, "line", PrimitiveType.Uint32));

    static StructValue account(long id, String owner, long balance) {
        return ACCOUNT.newValue(Map.of(
                "id", PrimitiveValue.newUint64(id),
                "owner", PrimitiveValue.newText(owner),
                "balance", PrimitiveValue.newInt64(balance)));
    }

    static StructValue balance(long id, long balance) {
        return BALANCE.newValue(
                Map.of("id", PrimitiveValue.newUint64(id), "balance", PrimitiveValue.newInt64(balance)));
    }

    static StructValue transfer(long id, long source, long target, long amount) {
        return TRANSFER.newValue(Map.of(
                "id", PrimitiveValue.newUint64(id),
                "source", PrimitiveValue.newUint64(source),
                "target", PrimitiveValue.newUint64(target),
                "amount", PrimitiveValue.newInt64(amount)));
    }

    static StructValue order(long id, long account, long total, String note) {
        return ORDER.newValue(Map.of(
                "id", PrimitiveValue.newUint64(id),
                "account", PrimitiveValue.newUint64(account),
                "total", PrimitiveValue.newInt64(total),
                "note", PrimitiveValue.newText(note)));
    }

    static StructValue line(long id, int line, String goods, long price) {
        return LINE.newValue(Map.of(
                "id", PrimitiveValue.newUint64(id),
                "line", PrimitiveValue.newUint32(line),
                "goods", PrimitiveValue.newText(goods),
                "price", PrimitiveValue.newInt64(price)));
    }

    static StructValue lineKey(long id, int line) {
        return LINE_KEY.newValue(Map.of("id", PrimitiveValue.newUint64(id), "line", PrimitiveValue.newUint32(line)));
    }

    /** Rows of one table as a parameter; at least one row. */
    static ListValue rows(List<? extends Value<?>> rows) {
        return ListType.of(rows.get(0).getType()).newValue(rows);
    }

    static String upsert(String table, String parameter) {
        return "UPSERT INTO `" + table + "` SELECT * FROM AS_TABLE(" + parameter + ");\n";
    }

    static String delete(String table, String parameter) {
        return "DELETE FROM `" + table + "` ON SELECT * FROM AS_TABLE(" + parameter + ");\n";
    }

    private Shop() {}
}
