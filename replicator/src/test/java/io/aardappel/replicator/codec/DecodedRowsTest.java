package io.aardappel.replicator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.codec.RandomFeed.Sample;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.ValueProtos.Value;

@DisplayName("Random rows of random tables, written as a changefeed writes them")
class DecodedRowsTest {
    private static final int TABLES = 40;
    private static final int ROWS = 60;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void arriveAsTheValuesThatWereWritten(long seed) {
        Random random = new Random(seed);
        for (int table = 0; table < TABLES; table++) {
            TableShape shape = shape(random);
            FeedImages images = random.nextBoolean() ? FeedImages.NEW_IMAGE : FeedImages.WRITTEN_COLUMNS;
            ChangeDecoder decoder = new ChangeDecoder(shape, images);
            for (int row = 0; row < ROWS; row++) {
                check(random, shape, images, decoder, "seed " + seed + " table " + table + " row " + row);
            }
        }
    }

    private static TableShape shape(Random random) {
        List<TableShape.Column> columns = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        int keyCount = 1 + random.nextInt(3);
        for (int i = 0; i < keyCount; i++) {
            keys.add("key_" + i);
            columns.add(
                    new TableShape.Column("key_" + i, any(RandomFeed.KEY_TYPES, random), random.nextBoolean(), false));
        }
        for (int i = random.nextInt(12); i > 0; i--) {
            columns.add(
                    new TableShape.Column("column " + i, any(RandomFeed.TYPES, random), random.nextInt(4) == 0, false));
        }
        Collections.shuffle(columns, random);
        return new TableShape("/local/t", columns, keys);
    }

    private static YdbType any(List<YdbType> types, Random random) {
        return types.get(random.nextInt(types.size()));
    }

    private static void check(Random random, TableShape shape, FeedImages images, ChangeDecoder decoder, String where) {
        RandomFeed feed = new RandomFeed(random);
        List<Sample> key = shape.keyOrdinals().stream()
                .map(ordinal -> sample(feed, random, shape.column(ordinal)))
                .toList();
        SortedMap<Integer, Sample> written = new TreeMap<>();
        for (int ordinal = 0; ordinal < shape.columns().size(); ordinal++) {
            if (!shape.isKey(ordinal) && random.nextInt(4) > 0) {
                written.put(ordinal, sample(feed, random, shape.column(ordinal)));
            }
        }
        boolean reset = random.nextBoolean();
        Position position = new Position(random.nextLong(), random.nextLong());
        byte[] message = RandomFeed.utf8(message(random, feed, shape, key, written, reset, images, position));

        StreamRecord record = decoder.decode(message);

        assertThat(record).as(where).isInstanceOf(Change.class);
        Change change = (Change) record;
        assertThat(change.position()).as(where).isEqualTo(position);
        assertThat(change.operation())
                .as(where)
                .isEqualTo(reset || images == FeedImages.NEW_IMAGE ? Operation.REPLACE : Operation.UPDATE);
        assertThat(keyValues(shape, change))
                .as(where)
                .isEqualTo(key.stream().map(Sample::expected).toList());
        assertThat(change.columns().ordinals())
                .as(where)
                .isEqualTo(written.keySet().stream().mapToInt(Integer::intValue).toArray());
        assertThat(columnValues(shape, change))
                .as(where)
                .isEqualTo(written.values().stream().map(Sample::expected).toList());
        assertThat(change.bytes()).as(where).isGreaterThan(message.length);
    }

    private static Sample sample(RandomFeed feed, Random random, TableShape.Column column) {
        return !column.notNull() && random.nextInt(6) == 0
                ? new Sample("null", Cells.NULL)
                : feed.sample(column.type());
    }

    private static String message(
            Random random,
            RandomFeed feed,
            TableShape shape,
            List<Sample> key,
            SortedMap<Integer, Sample> written,
            boolean reset,
            FeedImages images,
            Position position) {
        List<String> columns = new ArrayList<>();
        written.forEach((ordinal, sample) ->
                columns.add(feed.quote(shape.column(ordinal).name()) + ":" + sample.json()));
        Collections.shuffle(columns, random);
        String object = "{" + String.join(",", columns) + "}";
        List<String> members = new ArrayList<>();
        members.add(
                "\"key\":[" + String.join(",", key.stream().map(Sample::json).toList()) + "]");
        members.add("\"ts\":" + position);
        String operation = reset ? "\"reset\":" : "\"update\":";
        if (images == FeedImages.NEW_IMAGE) {
            members.add(operation + "{}");
            members.add("\"newImage\":" + object);
        } else {
            members.add(operation + object);
        }
        if (random.nextInt(5) == 0) {
            members.add("\"user\":" + feed.quote("somebody"));
        }
        Collections.shuffle(members, random);
        return "{" + String.join(",", members) + "}";
    }

    private static List<Value> keyValues(TableShape shape, Change change) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < change.key().size(); i++) {
            YdbType type = shape.column(shape.keyOrdinals().get(i)).type();
            values.add(Cells.toValue(type, change.key().part(i)));
        }
        return values;
    }

    private static List<Value> columnValues(TableShape shape, Change change) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < change.columns().ordinals().length; i++) {
            YdbType type = shape.column(change.columns().ordinals()[i]).type();
            values.add(Cells.toValue(type, change.columns().values()[i]));
        }
        return values;
    }
}
