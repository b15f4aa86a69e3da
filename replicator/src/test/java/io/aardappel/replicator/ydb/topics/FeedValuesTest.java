package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.ydb.Calls;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.codec.Cells;
import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;

@DisplayName("What a changefeed says of a row is what the row holds")
@WithYdb(lifetime = WithYdb.Lifetime.TEST)
@Timeout(60)
class FeedValuesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String COLUMNS = """
            b Bool, i8 Int8, u8 Uint8, i16 Int16, u16 Uint16, i32 Int32, u32 Uint32, i64 Int64, u64 Uint64,
            f Float, d Double, day Date, sec Datetime, mic Timestamp, span Interval,
            day32 Date32, sec64 Datetime64, mic64 Timestamp64, span64 Interval64,
            bytes String, text Utf8, doc Json, docb JsonDocument, ys Yson, uid Uuid, dy DyNumber, dec Decimal(22,9)""";
    private static final String ROWS = """
            UPSERT INTO source (id, b, i8, u8, i16, u16, i32, u32, i64, u64, f, d) VALUES
              (1ul, true, -128t, 255ut, -32768s, 65535us, -2147483648, 4294967295u,
               -9223372036854775807l, 18446744073709551615ul, 1.5f, -0.1),
              (18446744073709551615ul, false, 127t, 0ut, 0s, 0us, 0, 0u, 9223372036854775807l, 9223372036854775808ul,
               -3.25f, 1e300);
            UPSERT INTO source (id, day, sec, mic, span) VALUES
              (2ul, Date("2024-02-29"), Datetime("2105-12-31T23:59:59Z"), Timestamp("2024-02-29T23:59:59.123456Z"),
               Interval("P1DT0.000001S")),
              (3ul, Date("1970-01-01"), Datetime("1970-01-01T00:00:00Z"), Timestamp("1970-01-01T00:00:00Z"),
               Interval("-PT1S"));
            UPSERT INTO source (id, day32, sec64, mic64, span64) VALUES
              (8ul, CAST(-365 AS Date32), CAST(-1l AS Datetime64), CAST(-1l AS Timestamp64), CAST(-1l AS Interval64));
            UPSERT INTO source (id, bytes, text, doc, docb, ys) VALUES
              (4ul, "\\x00\\xff/+", "a\\"\\\\\\n€😀"u, '{"a":[1.50,18446744073709551615,null]}'j,
               JsonDocument('{"b":{"c":true}}'), '{"k"=[1;"v"]}'y),
              (5ul, "", ""u, '[]'j, JsonDocument('"x"'), '[]'y);
            UPSERT INTO source (id, uid, dy, dec) VALUES
              (6ul, Uuid("00112233-4455-6677-8899-aabbccddeeff"), DyNumber("-12.5"), Decimal("1234567890123.000000001", 22, 9)),
              (7ul, Uuid("ffffffff-ffff-ffff-ffff-ffffffffffff"), DyNumber("0"), Decimal("-0.5", 22, 9));
            """;

    private record Shape(TableShape shape) implements DestinationShapes {
        @Override
        public TableShape current(String table) {
            return shape;
        }

        @Override
        public boolean refresh(String table) {
            return true;
        }
    }

    @ParameterizedTest(name = "mode {0}")
    @CsvSource({"UPDATES,WRITTEN_COLUMNS", "NEW_IMAGE,NEW_IMAGE", "NEW_AND_OLD_IMAGES,NEW_IMAGE"})
    void forEveryColumnTypeB07(String mode, FeedImages images, YdbEmulator ydb) {
        try (GrpcTransport transport =
                GrpcTransport.forConnectionString(ydb.connectionString()).build()) {
            Calls calls = new Calls(transport);
            String session = session(calls);
            scheme(calls, session, "CREATE TABLE source (id Uint64 NOT NULL, " + COLUMNS + ", PRIMARY KEY (id))");
            scheme(
                    calls,
                    session,
                    "ALTER TABLE source ADD CHANGEFEED feed WITH (MODE = '" + mode
                            + "', FORMAT = 'JSON', VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))");
            scheme(calls, session, "ALTER TOPIC `source/feed` ADD CONSUMER replicator");
            TableShape shape = shape(calls, session);
            for (String statement : ROWS.split(";\n", -1)) {
                if (!statement.isBlank()) {
                    execute(calls, session, statement);
                }
            }
            ResultSet rows = execute(calls, session, "SELECT * FROM source").get(0);

            Map<Long, Change> changes = changes(transport, shape, images, rows.getRowsCount());

            assertThat(changes).hasSize(9);
            for (Value row : rows.getRowsList()) {
                check(shape, images, rows, row, changes);
            }
        }
    }

    private static void check(
            TableShape shape, FeedImages images, ResultSet rows, Value row, Map<Long, Change> changes) {
        TreeMap<String, Value> stored = new TreeMap<>();
        for (int i = 0; i < rows.getColumnsCount(); i++) {
            stored.put(rows.getColumns(i).getName(), row.getItems(i));
        }
        long id = stored.remove("id").getUint64Value();
        Change change = Objects.requireNonNull(changes.get(id));
        assertThat(change.operation()).isEqualTo(images == FeedImages.NEW_IMAGE ? Operation.REPLACE : Operation.UPDATE);
        TreeMap<String, Value> carried = new TreeMap<>();
        for (int i = 0; i < change.columns().ordinals().length; i++) {
            TableShape.Column column = shape.column(change.columns().ordinals()[i]);
            carried.put(
                    column.name(), Cells.toValue(column.type(), change.columns().values()[i]));
        }
        if (images == FeedImages.WRITTEN_COLUMNS) {
            stored.values().removeIf(Value::hasNullFlagValue);
        }
        assertThat(carried.keySet()).as("row %d", id).isEqualTo(stored.keySet());
        stored.forEach((name, value) -> assertThat(meaning(name, Objects.requireNonNull(carried.get(name))))
                .as("row %d column %s", id, name)
                .isEqualTo(meaning(name, value)));
    }

    /** Yson and DyNumber have several spellings of one value; the others must be the same to the bit. */
    private static String meaning(String column, Value value) {
        if (value.hasNullFlagValue()) {
            return "NULL";
        }
        return switch (column) {
            case "ys" -> value.getBytesValue().toStringUtf8().replace(";}", "}").replace(";]", "]");
            case "dy" ->
                new BigDecimal(value.getTextValue().replace("-.", "-0."))
                        .stripTrailingZeros()
                        .toPlainString();
            default -> value.toString();
        };
    }

    private static Map<Long, Change> changes(GrpcTransport transport, TableShape shape, FeedImages images, int rows) {
        LinkedBlockingQueue<Event> inbox = new LinkedBlockingQueue<>();
        Map<Long, Change> changes = new TreeMap<>();
        boolean barrier = false;
        try (TopicSource source = new TopicSource(
                transport,
                new Shape(shape),
                spec -> SourceFeed.of(images),
                spec -> KeyFilter.NONE,
                ReaderRig.quick(1 << 20),
                new Random(1))) {
            source.start(List.of(new StreamSpec("source/feed", "replicator", "t")), inbox::add);
            source.open(new PartitionId(0, 0));
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (changes.size() < rows || !barrier) {
                Event event = poll(inbox, end - System.nanoTime());
                if (event instanceof SourceEvent.SessionStarted started) {
                    source.confirm(started.partition(), started.session(), started.committedOffset());
                } else if (event instanceof SourceEvent.Records records) {
                    source.taken(records);
                    for (var record : records.records()) {
                        assertThat(record).isInstanceOfAny(Change.class, Barrier.class);
                        barrier |= record instanceof Barrier;
                        if (record instanceof Change change) {
                            changes.put(
                                    (Long) Objects.requireNonNull(change.key().part(0)), change);
                        }
                    }
                }
            }
        }
        return changes;
    }

    private static Event poll(LinkedBlockingQueue<Event> inbox, long nanos) {
        try {
            Event event = inbox.poll(nanos, TimeUnit.NANOSECONDS);
            assertThat(event).as("another event of the feed").isNotNull();
            return Objects.requireNonNull(event);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String session(Calls calls) {
        return calls.call(
                        TableServiceGrpc.getCreateSessionMethod(),
                        YdbTable.CreateSessionRequest.getDefaultInstance(),
                        TIMEOUT,
                        YdbTable.CreateSessionResponse::getOperation,
                        YdbTable.CreateSessionResult.class)
                .getValue()
                .getSessionId();
    }

    private static void scheme(Calls calls, String session, String yql) {
        assertThat(calls.call(
                                TableServiceGrpc.getExecuteSchemeQueryMethod(),
                                YdbTable.ExecuteSchemeQueryRequest.newBuilder()
                                        .setSessionId(session)
                                        .setYqlText(yql)
                                        .build(),
                                TIMEOUT,
                                YdbTable.ExecuteSchemeQueryResponse::getOperation)
                        .isSuccess())
                .as(yql)
                .isTrue();
    }

    private static List<ResultSet> execute(Calls calls, String session, String yql) {
        return new ArrayList<>(calls.call(
                        TableServiceGrpc.getExecuteDataQueryMethod(),
                        YdbTable.ExecuteDataQueryRequest.newBuilder()
                                .setSessionId(session)
                                .setTxControl(YdbTable.TransactionControl.newBuilder()
                                        .setBeginTx(YdbTable.TransactionSettings.newBuilder()
                                                .setSerializableReadWrite(
                                                        YdbTable.SerializableModeSettings.getDefaultInstance()))
                                        .setCommitTx(true))
                                .setQuery(YdbTable.Query.newBuilder().setYqlText(yql))
                                .build(),
                        TIMEOUT,
                        YdbTable.ExecuteDataQueryResponse::getOperation,
                        YdbTable.ExecuteQueryResult.class)
                .getValue()
                .getResultSetsList());
    }

    private static TableShape shape(Calls calls, String session) {
        YdbTable.DescribeTableResult described = calls.call(
                        TableServiceGrpc.getDescribeTableMethod(),
                        YdbTable.DescribeTableRequest.newBuilder()
                                .setSessionId(session)
                                .setPath("/local/source")
                                .build(),
                        TIMEOUT,
                        YdbTable.DescribeTableResponse::getOperation,
                        YdbTable.DescribeTableResult.class)
                .getValue();
        return new TableShape(
                "/local/source",
                described.getColumnsList().stream()
                        .map(column -> TableShape.Column.described(column.getName(), column.getType(), false))
                        .toList(),
                described.getPrimaryKeyList());
    }
}
