package io.aardappel.replicator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

@DisplayName("The rows of a parameter")
class ParameterRowsTest {
    private static final int ROWS = 200;
    private static final YdbType UTF8 = YdbType.of(PrimitiveTypeId.UTF8);
    private static final Type LIST = Type.newBuilder()
            .setListType(ListType.newBuilder().setItem(UTF8.proto()))
            .build();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("travel as the protocol's own classes would write them, whatever their types")
    void sameBytes(long seed) throws InvalidProtocolBufferException {
        Random random = new Random(seed);
        RandomFeed feed = new RandomFeed(random);
        ParameterRows rows = new ParameterRows(RandomFeed.TYPES);
        Value.Builder expected = Value.newBuilder();
        for (int i = 0; i < ROWS; i++) {
            @Nullable Object[] cells = cells(feed, random);
            assertThat(rows.add(cells, Integer.MAX_VALUE)).isTrue();
            expected.addItems(Value.newBuilder().addAllItems(values(cells)));
        }
        TypedValue parameter =
                TypedValue.newBuilder().setType(LIST).setValue(expected).build();
        assertThat(rows.parameter(LIST).toByteString()).as("seed " + seed).isEqualTo(parameter.toByteString());
        assertThat(rows.size()).isEqualTo(parameter.getValue().getSerializedSize());
    }

    private static List<Value> values(@Nullable Object[] cells) {
        return IntStream.range(0, cells.length)
                .mapToObj(i -> Cells.toValue(RandomFeed.TYPES.get(i), cells[i]))
                .toList();
    }

    /** As the decoder makes them of a message; some are NULL. */
    private static @Nullable Object[] cells(RandomFeed feed, Random random) {
        List<TableShape.Column> columns = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (YdbType type : RandomFeed.TYPES) {
            String name = "c" + columns.size();
            columns.add(new TableShape.Column(name, type, false, false));
            String json = random.nextInt(6) == 0 ? "null" : feed.sample(type).json();
            members.add("\"" + name + "\":" + json);
        }
        columns.add(new TableShape.Column("k", UTF8, true, false));
        String message = "{\"key\":[\"k\"],\"ts\":[1,1],\"update\":{" + String.join(",", members) + "}}";
        TableShape shape = new TableShape("/local/t", columns, List.of("k"));
        Change change = (Change) new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS).decode(RandomFeed.utf8(message));
        return change.columns().values();
    }

    @Test
    @DisplayName("are at least one, and then as many as fit")
    void limit() {
        ParameterRows rows = new ParameterRows(List.of(UTF8));
        @Nullable Object[] row = {"ten letters"};

        assertThat(rows.add(row, 5)).isTrue();
        int one = rows.size();
        assertThat(rows.add(row, 2 * one - 1)).isFalse();
        assertThat(rows.add(row, 2 * one)).isTrue();
        assertThat(rows.size()).isEqualTo(2 * one);
    }
}
