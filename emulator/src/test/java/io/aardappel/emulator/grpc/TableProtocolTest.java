package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.value.TypeCodec;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable;

@DisplayName("The table service")
class TableProtocolTest {
    private RawYdb ydb = RawYdb.start();
    private String session = "";

    @BeforeEach
    void open() {
        session = ydb.session();
    }

    @AfterEach
    void stop() {
        ydb.close();
    }

    private static Value.Builder value() {
        return Value.newBuilder();
    }

    private static Value number(long value) {
        return value().setInt64Value(value).build();
    }

    private StatusCode bulkUpsert(String table, TypedValue rows) {
        return ydb.tables()
                .bulkUpsert(YdbTable.BulkUpsertRequest.newBuilder()
                        .setTable(table)
                        .setRows(rows)
                        .build())
                .getOperation()
                .getStatus();
    }

    private List<YdbTable.ReadTableResponse> readTable(YdbTable.ReadTableRequest.Builder request) {
        List<YdbTable.ReadTableResponse> parts = new ArrayList<>();
        Iterator<YdbTable.ReadTableResponse> stream =
                ydb.tables().streamReadTable(request.setSessionId(session).build());
        stream.forEachRemaining(parts::add);
        return parts;
    }

    private YdbTable.DescribeTableResult describe(YdbTable.DescribeTableRequest.Builder request) {
        return RawYdb.result(
                ydb.tables()
                        .describeTable(request.setSessionId(session).build())
                        .getOperation(),
                YdbTable.DescribeTableResult.class);
    }

    /** A column type with a value of it, as the protocol writes it. */
    record Sample(Type type, Value value) {
        @Override
        public String toString() {
            return type.toString();
        }
    }

    static Stream<Sample> samples() {
        return Stream.of(
                new Sample(Primitive.BOOL, value().setBoolValue(true).build()),
                new Sample(Primitive.INT8, value().setInt32Value(-128).build()),
                new Sample(Primitive.UINT8, value().setUint32Value(255).build()),
                new Sample(Primitive.INT16, value().setInt32Value(-32_768).build()),
                new Sample(Primitive.UINT16, value().setUint32Value(65_535).build()),
                new Sample(
                        Primitive.INT32,
                        value().setInt32Value(Integer.MIN_VALUE).build()),
                new Sample(Primitive.UINT32, value().setUint32Value(-1).build()),
                new Sample(Primitive.INT64, number(Long.MIN_VALUE)),
                new Sample(Primitive.UINT64, value().setUint64Value(-1).build()),
                new Sample(Primitive.FLOAT, value().setFloatValue(0.1f).build()),
                new Sample(Primitive.DOUBLE, value().setDoubleValue(-1e300).build()),
                new Sample(Primitive.DATE, value().setUint32Value(49_672).build()),
                new Sample(
                        Primitive.DATETIME,
                        value().setUint32Value(1_700_000_000).build()),
                new Sample(
                        Primitive.TIMESTAMP,
                        value().setUint64Value(4_291_747_199_999_999L).build()),
                new Sample(Primitive.INTERVAL, number(-1)),
                new Sample(Primitive.DATE32, value().setInt32Value(-53_375_809).build()),
                new Sample(Primitive.DATETIME64, number(-4_611_669_897_600L)),
                new Sample(Primitive.TIMESTAMP64, number(4_611_669_811_199_999_999L)),
                new Sample(Primitive.INTERVAL64, number(-5)),
                new Sample(
                        Primitive.STRING,
                        value().setBytesValue(ByteString.copyFrom(new byte[] {0, -1, 65}))
                                .build()),
                new Sample(
                        Primitive.UTF8, value().setTextValue("naïve Καλημέρα").build()),
                new Sample(
                        Primitive.YSON,
                        value().setBytesValue(ByteString.copyFromUtf8("{a=1}")).build()),
                new Sample(Primitive.JSON, value().setTextValue("{\"a\":[1,2]}").build()),
                new Sample(
                        Primitive.JSON_DOCUMENT,
                        value().setTextValue("{\"a\":1}").build()),
                new Sample(Primitive.UUID, value().setLow128(5).setHigh128(-7).build()),
                new Sample(Primitive.DYNUMBER, value().setTextValue(".125e2").build()),
                new Sample(
                        new Type.Decimal(22, 9),
                        value().setLow128(-1_500_000_000L).setHigh128(-1).build()),
                new Sample(new Type.Decimal(35, 0), value().setLow128(7).build()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void keepsAValueOfEveryColumnType(Sample sample) {
        createTable("typed", sample.type());
        TypedValue rows = rows(
                List.of("id", "v"),
                List.of(Primitive.INT64, sample.type().nullable()),
                List.of(number(1), sample.value()),
                List.of(
                        number(2),
                        value().setNullFlagValue(NullValue.NULL_VALUE).build()));
        assertThat(bulkUpsert("/local/typed", rows)).isEqualTo(StatusCode.SUCCESS);
        ValueProtos.ResultSet read = readTable(
                        YdbTable.ReadTableRequest.newBuilder().setPath("/local/typed"))
                .get(0)
                .getResult()
                .getResultSet();
        assertThat(TypeCodec.decode(read.getColumns(1).getType()))
                .isEqualTo(sample.type().nullable());
        assertThat(read.getRows(0).getItems(1)).isEqualTo(sample.value());
        assertThat(read.getRows(1).getItems(1).hasNullFlagValue()).isTrue();
    }

    private void createTable(String name, Type valueType) {
        YdbTable.CreateTableRequest request = YdbTable.CreateTableRequest.newBuilder()
                .setSessionId(session)
                .setPath("/local/" + name)
                .addColumns(column("id", Primitive.INT64))
                .addColumns(column("v", valueType.nullable()))
                .addPrimaryKey("id")
                .build();
        assertThat(ydb.tables().createTable(request).getOperation().getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    private static YdbTable.ColumnMeta column(String name, Type type) {
        return YdbTable.ColumnMeta.newBuilder()
                .setName(name)
                .setType(TypeCodec.encode(type))
                .build();
    }

    @SafeVarargs
    private static TypedValue rows(List<String> names, List<Type> types, List<Value>... rows) {
        List<Type.Member> members = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            members.add(new Type.Member(names.get(i), types.get(i)));
        }
        Value.Builder list = value();
        for (List<Value> row : rows) {
            list.addItems(value().addAllItems(row));
        }
        return RawYdb.typed(new Type.ListOf(new Type.Struct(members)), list.build());
    }

    private static TypedValue ids(long... ids) {
        Value.Builder list = value();
        Arrays.stream(ids).forEach(id -> list.addItems(value().addItems(number(id))));
        return RawYdb.typed(
                new Type.ListOf(new Type.Struct(List.of(new Type.Member("id", Primitive.INT64)))), list.build());
    }

    private static TypedValue bound(long id) {
        return RawYdb.typed(
                new Type.Tuple(List.of(Primitive.INT64.nullable())),
                value().addItems(number(id)).build());
    }

    @Nested
    @DisplayName("reading a table of a hundred rows")
    class ReadingATable {
        @BeforeEach
        void fill() {
            createTable("t", Primitive.UTF8);
            Value.Builder list = value();
            for (long id = 0; id < 100; id++) {
                list.addItems(value().addItems(number(id)));
            }
            bulkUpsert(
                    "/local/t",
                    RawYdb.typed(
                            new Type.ListOf(new Type.Struct(List.of(new Type.Member("id", Primitive.INT64)))),
                            list.build()));
        }

        private YdbTable.ReadTableRequest.Builder request() {
            return YdbTable.ReadTableRequest.newBuilder().setPath("/local/t").addColumns("id");
        }

        private long rows(List<YdbTable.ReadTableResponse> parts) {
            return parts.stream()
                    .mapToInt(part -> part.getResult().getResultSet().getRowsCount())
                    .sum();
        }

        @Test
        void cutsPartsAtTheAskedNumberOfRows() {
            assertThat(readTable(request().setBatchLimitRows(30))).hasSize(4);
        }

        @Test
        void stopsAtTheRowLimit() {
            assertThat(rows(readTable(request().setRowLimit(7)))).isEqualTo(7);
        }

        @Test
        void keepsToTheBoundsOfARange() {
            YdbTable.KeyRange range = YdbTable.KeyRange.newBuilder()
                    .setGreater(bound(10))
                    .setLessOrEqual(bound(20))
                    .build();
            assertThat(rows(readTable(request().setKeyRange(range)))).isEqualTo(10);
        }

        @Test
        void answersTheColumnsOfAnEmptyRange() {
            YdbTable.KeyRange range =
                    YdbTable.KeyRange.newBuilder().setGreater(bound(1_000)).build();
            assertThat(readTable(request().setKeyRange(range)))
                    .singleElement()
                    .satisfies(
                            part -> assertThat(part.getResult().getResultSet().getColumnsCount())
                                    .isEqualTo(1));
        }

        @Test
        void refusesAColumnThatIsNotThere() {
            assertThat(readTable(YdbTable.ReadTableRequest.newBuilder()
                                    .setPath("/local/t")
                                    .addColumns("nope"))
                            .get(0)
                            .getStatus())
                    .isEqualTo(StatusCode.SCHEME_ERROR);
        }

        @Test
        void findsRowsByTheirKeys() {
            YdbTable.ReadRowsResponse response = ydb.tables()
                    .readRows(YdbTable.ReadRowsRequest.newBuilder()
                            .setPath("/local/t")
                            .setKeys(ids(5, 500, 6))
                            .build());
            assertThat(response.getStatus()).isEqualTo(StatusCode.SUCCESS);
            assertThat(response.getResultSet().getRowsCount()).isEqualTo(2);
        }

        @Test
        void refusesKeysThatAreNone() {
            YdbTable.ReadRowsResponse response = ydb.tables()
                    .readRows(YdbTable.ReadRowsRequest.newBuilder()
                            .setPath("/local/t")
                            .build());
            assertThat(response.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
        }

        @Test
        void answersAScanQueryInParts() {
            YdbTable.ExecuteScanQueryRequest request = YdbTable.ExecuteScanQueryRequest.newBuilder()
                    .setQuery(YdbTable.Query.newBuilder().setYqlText("SELECT id FROM t;"))
                    .setMode(YdbTable.ExecuteScanQueryRequest.Mode.MODE_EXEC)
                    .build();
            long rows = 0;
            Iterator<YdbTable.ExecuteScanQueryPartialResponse> parts =
                    ydb.tables().streamExecuteScanQuery(request);
            while (parts.hasNext()) {
                rows += parts.next().getResult().getResultSet().getRowsCount();
            }
            assertThat(rows).isEqualTo(100);
        }

        @Test
        void cutsOffADataQueryAtTheRowLimitAndSaysSo() {
            stop();
            ydb = new RawYdb(YdbEmulator.builder().serverLimits(ServerLimits.DEFAULT.withResultRows(10)));
            session = ydb.session();
            fill();
            Operation operation = ydb.dataQuery(session, RawYdb.begin(true), "SELECT id FROM t;");
            ValueProtos.ResultSet result =
                    RawYdb.result(operation, YdbTable.ExecuteQueryResult.class).getResultSets(0);
            assertThat(result.getRowsCount()).isEqualTo(10);
            assertThat(result.getTruncated()).isTrue();
        }
    }

    @Nested
    @DisplayName("describing a table")
    class DescribingATable {
        @BeforeEach
        void create() {
            ydb.schemeQuery(
                    session,
                    "CREATE TABLE d (k Uint64 NOT NULL, v Utf8 DEFAULT 'x'u, PRIMARY KEY (k)) "
                            + "WITH (UNIFORM_PARTITIONS = 4);");
            ydb.schemeQuery(
                    session,
                    "ALTER TABLE d ADD CHANGEFEED f WITH (MODE = 'UPDATES', FORMAT = 'JSON', "
                            + "VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'));");
        }

        private YdbTable.DescribeTableRequest.Builder request() {
            return YdbTable.DescribeTableRequest.newBuilder().setPath("/local/d");
        }

        @Test
        void showsColumnsAndKey() {
            YdbTable.DescribeTableResult table = describe(request());
            assertThat(table.getColumnsList())
                    .extracting(YdbTable.ColumnMeta::getName)
                    .containsExactly("k", "v");
            assertThat(table.getPrimaryKeyList()).containsExactly("k");
        }

        @Test
        void marksColumnsThatAreNotNull() {
            assertThat(describe(request()).getColumnsList())
                    .extracting(YdbTable.ColumnMeta::getNotNull)
                    .containsExactly(true, false);
        }

        @Test
        void showsDefaults() {
            assertThat(describe(request())
                            .getColumns(1)
                            .getFromLiteral()
                            .getValue()
                            .getTextValue())
                    .isEqualTo("x");
        }

        @Test
        void showsItsChangefeed() {
            assertThat(describe(request()).getChangefeedsList()).singleElement().satisfies(feed -> {
                assertThat(feed.getName()).isEqualTo("f");
                assertThat(feed.getMode()).isEqualTo(YdbTable.ChangefeedMode.Mode.MODE_UPDATES);
                assertThat(feed.getFormat()).isEqualTo(YdbTable.ChangefeedFormat.Format.FORMAT_JSON);
                assertThat(feed.getState()).isEqualTo(YdbTable.ChangefeedDescription.State.STATE_ENABLED);
                assertThat(feed.getVirtualTimestamps()).isTrue();
                assertThat(feed.getResolvedTimestampsInterval().getSeconds()).isEqualTo(1);
            });
        }

        @Test
        void showsBoundsAndStatisticsOfShardsWhenAsked() {
            YdbTable.DescribeTableResult table = describe(request()
                    .setIncludeShardKeyBounds(true)
                    .setIncludeTableStats(true)
                    .setIncludePartitionStats(true));
            assertThat(table.getShardKeyBoundsCount()).isEqualTo(3);
            assertThat(table.getTableStats().getPartitions()).isEqualTo(4);
            assertThat(table.getTableStats().getPartitionStatsCount()).isEqualTo(4);
        }
    }

    @Nested
    @DisplayName("with a query")
    class WithAQuery {
        @Test
        void refusesATextThatIsTooLong() {
            String text = "SELECT '" + "x".repeat(ServerLimits.DEFAULT.queryTextBytes()) + "';";
            assertThat(ydb.dataQuery(session, RawYdb.begin(true), text).getStatus())
                    .isEqualTo(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesParametersThatAreTooLarge() {
            stop();
            ydb = new RawYdb(YdbEmulator.builder().serverLimits(ServerLimits.DEFAULT.withParametersBytes(100)));
            session = ydb.session();
            YdbTable.ExecuteDataQueryRequest request = YdbTable.ExecuteDataQueryRequest.newBuilder()
                    .setSessionId(session)
                    .setTxControl(RawYdb.begin(true))
                    .setQuery(YdbTable.Query.newBuilder().setYqlText("SELECT $p;"))
                    .putParameters(
                            "$p",
                            RawYdb.typed(
                                    Primitive.UTF8,
                                    value().setTextValue("x".repeat(200)).build()))
                    .build();
            assertThat(ydb.tables().executeDataQuery(request).getOperation().getStatus())
                    .isEqualTo(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesAResultThatIsTooLargeAndCommitsNothing() {
            stop();
            ydb = new RawYdb(YdbEmulator.builder().serverLimits(ServerLimits.DEFAULT.withResultBytes(100)));
            session = ydb.session();
            createTable("t", Primitive.UTF8);
            String text = "UPSERT INTO t (id) VALUES (1); SELECT '" + "x".repeat(200) + "';";
            assertThat(ydb.dataQuery(session, RawYdb.begin(true), text).getStatus())
                    .isEqualTo(StatusCode.PRECONDITION_FAILED);
            assertThat(ydb.count("t")).isZero();
        }

        @Test
        void refusesOneWithoutTransactionControl() {
            assertThat(ydb.dataQuery(session, YdbTable.TransactionControl.getDefaultInstance(), "SELECT 1;")
                            .getStatus())
                    .isEqualTo(StatusCode.BAD_REQUEST);
        }

        @Test
        void preparesItAndRunsItByItsId() {
            YdbTable.PrepareQueryResult prepared = RawYdb.result(
                    ydb.tables()
                            .prepareDataQuery(YdbTable.PrepareDataQueryRequest.newBuilder()
                                    .setSessionId(session)
                                    .setYqlText("DECLARE $p AS Int64; SELECT $p AS p;")
                                    .build())
                            .getOperation(),
                    YdbTable.PrepareQueryResult.class);
            assertThat(prepared.getParametersTypesMap()).containsOnlyKeys("$p");
            YdbTable.ExecuteDataQueryRequest request = YdbTable.ExecuteDataQueryRequest.newBuilder()
                    .setSessionId(session)
                    .setTxControl(RawYdb.begin(true))
                    .setQuery(YdbTable.Query.newBuilder().setId(prepared.getQueryId()))
                    .putParameters("$p", RawYdb.typed(Primitive.INT64, number(3)))
                    .build();
            assertThat(RawYdb.result(
                                    ydb.tables().executeDataQuery(request).getOperation(),
                                    YdbTable.ExecuteQueryResult.class)
                            .getResultSets(0)
                            .getRows(0)
                            .getItems(0)
                            .getInt64Value())
                    .isEqualTo(3);
        }

        @Test
        void abortsTheSlowerOfTwoTransactionsThatReadAndWriteOneRow() {
            createTable("t", Primitive.UTF8);
            String other = ydb.session();
            String read = "SELECT * FROM t WHERE id = 1;";
            String first = txOf(ydb.dataQuery(session, RawYdb.begin(false), read));
            String second = txOf(ydb.dataQuery(other, RawYdb.begin(false), read));
            ydb.dataQuery(session, RawYdb.in(first), "UPSERT INTO t (id) VALUES (1);");
            ydb.dataQuery(other, RawYdb.in(second), "UPSERT INTO t (id) VALUES (1);");
            assertThat(ydb.commit(session, first).getStatus()).isEqualTo(StatusCode.SUCCESS);
            Operation late = ydb.commit(other, second);
            assertThat(late.getStatus()).isEqualTo(StatusCode.ABORTED);
            assertThat(late.getIssues(0).getMessage()).startsWith("Transaction locks invalidated");
        }

        private String txOf(Operation operation) {
            return RawYdb.result(operation, YdbTable.ExecuteQueryResult.class)
                    .getTxMeta()
                    .getId();
        }
    }

    @Test
    void copiesATableWithItsRows() {
        createTable("t", Primitive.UTF8);
        bulkUpsert("/local/t", ids(1, 2, 3));
        StatusCode status = ydb.tables()
                .copyTable(YdbTable.CopyTableRequest.newBuilder()
                        .setSessionId(session)
                        .setSourcePath("/local/t")
                        .setDestinationPath("/local/copy")
                        .build())
                .getOperation()
                .getStatus();
        assertThat(status).isEqualTo(StatusCode.SUCCESS);
        assertThat(ydb.count("copy")).isEqualTo(3);
    }
}
