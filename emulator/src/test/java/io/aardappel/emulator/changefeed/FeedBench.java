package io.aardappel.emulator.changefeed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Limits;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.aardappel.emulator.model.topic.Topics;
import io.aardappel.emulator.model.value.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A database with a clock that stands still until it is told, and readers of its feeds. */
final class FeedBench {
    static final String TABLE = "/local/t";
    static final String FEED = TABLE + "/feed";
    private static final ObjectMapper JSON = new ObjectMapper();

    long wall = 1_000_000;
    final Topics topics = new Topics();
    final TopicChangefeeds changefeeds;
    final Database database;

    FeedBench() {
        this(Hazards.NONE);
    }

    FeedBench(Hazards hazards) {
        changefeeds = new TopicChangefeeds(hazards);
        database = new Database("/local", new VirtualClock(() -> wall), Limits.YDB, topics, changefeeds);
    }

    /** A table {@code id Uint64, qty Int32, title Utf8} in so many uniform shards. */
    FeedBench table(int shards) {
        return table(
                shards,
                Column.nullable("id", Type.Primitive.UINT64),
                Column.nullable("qty", Type.Primitive.INT32),
                Column.nullable("title", Type.Primitive.UTF8));
    }

    /** A table whose key is its first column. */
    FeedBench table(int shards, Column... columns) {
        database.createTable(
                new TableSpec(
                        TABLE,
                        List.of(columns),
                        List.of(columns[0].name()),
                        new TableSpec.Partitioning(shards, List.of(), null, null, 0, 0, 0),
                        List.of(),
                        Map.of()),
                false);
        return this;
    }

    FeedBench feed(ChangefeedSpec spec) {
        database.alterTable(TABLE, List.of(new TableSpec.Change.AddChangefeed(spec)));
        return this;
    }

    static ChangefeedSpec json(ChangefeedSpec.Mode mode) {
        return new ChangefeedSpec(
                "feed",
                mode,
                ChangefeedSpec.Format.JSON,
                false,
                null,
                false,
                null,
                false,
                false,
                false,
                0,
                0,
                Map.of());
    }

    static ChangefeedSpec debezium(ChangefeedSpec.Mode mode, boolean scan) {
        return new ChangefeedSpec(
                "feed",
                mode,
                ChangefeedSpec.Format.DEBEZIUM_JSON,
                false,
                null,
                scan,
                null,
                false,
                false,
                false,
                0,
                0,
                Map.of());
    }

    /** JSON with virtual timestamps, and barriers every so many seconds, 0 for none. */
    static ChangefeedSpec timed(ChangefeedSpec.Mode mode, int barrierSeconds, boolean scan, int partitions) {
        return new ChangefeedSpec(
                "feed",
                mode,
                ChangefeedSpec.Format.JSON,
                true,
                barrierSeconds == 0 ? null : Duration.ofSeconds(barrierSeconds),
                scan,
                null,
                false,
                false,
                false,
                partitions,
                0,
                Map.of());
    }

    FeedKnobs knobs() {
        return changefeeds.knobs(FEED);
    }

    Topic topic() {
        return topics.get(FEED);
    }

    Changefeed.Description description() {
        return database.describeTable(TABLE).changefeeds().get(0);
    }

    Transaction begin() {
        return database.begin(Transaction.Mode.SERIALIZABLE_READ_WRITE);
    }

    TableSchema schema() {
        return database.describeTable(TABLE).schema();
    }

    /** One write in a transaction of its own; values are by name, {@code "qty", 5L, "title", "x"}. */
    VirtualTimestamp write(RowWrite.Kind kind, @Nullable Object key, @Nullable Object... namesAndValues) {
        Transaction transaction = begin();
        transaction.write(schema(), row(kind, key, namesAndValues));
        return transaction.commit();
    }

    RowWrite row(RowWrite.Kind kind, @Nullable Object key, @Nullable Object... namesAndValues) {
        int count = namesAndValues.length / 2;
        int[] columns = new int[count];
        @Nullable Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
            columns[i] = schema().indexOf((String) namesAndValues[2 * i]);
            values[i] = namesAndValues[2 * i + 1];
        }
        return new RowWrite(kind, Arrays.asList(key), columns, values);
    }

    VirtualTimestamp upsert(@Nullable Object key, @Nullable Object... namesAndValues) {
        return write(RowWrite.Kind.UPSERT, key, namesAndValues);
    }

    VirtualTimestamp delete(Object key) {
        return write(RowWrite.Kind.DELETE, key);
    }

    /** Time passes and the database does what waits. */
    void pass(long millis) {
        wall += millis;
        database.tick();
    }

    List<TopicMessage> messages(int partition) {
        List<TopicMessage> all = new ArrayList<>();
        for (List<TopicMessage> part = topic().read(partition, 0).messages();
                !part.isEmpty();
                part = topic().read(partition, all.size()).messages()) {
            all.addAll(part);
        }
        return all;
    }

    /** The records of a partition as text, barriers included. */
    List<String> texts(int partition) {
        return messages(partition).stream()
                .map(message -> new String(message.data(), StandardCharsets.UTF_8))
                .toList();
    }

    List<JsonNode> records(int partition) {
        return texts(partition).stream().map(FeedBench::parse).toList();
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new AssertionError("not JSON: " + text, broken);
        }
    }
}
