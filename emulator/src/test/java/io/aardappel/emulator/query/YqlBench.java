package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Changefeeds;
import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.FeedSource;
import io.aardappel.emulator.model.table.Limits;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.topic.Topics;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A database without changefeeds, and the engine over it. */
final class YqlBench {
    static final String DATABASE = "/local";
    /** 2026-01-02T03:04:05.678901Z. */
    static final long NOW = 1_767_323_045_678_901L;

    private static final Changefeeds NO_FEEDS = new Changefeeds() {
        @Override
        public void check(TableSchema table, TableSpec.ChangefeedSpec spec) {
            throw new UnsupportedOperationException("no feeds here");
        }

        @Override
        public Changefeed open(TableSpec.ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created) {
            throw new UnsupportedOperationException("no feeds here");
        }
    };

    long now = NOW;
    final Database database =
            new Database(DATABASE, new VirtualClock(() -> now / 1_000), Limits.YDB, new Topics(), NO_FEEDS);
    final QueryEngine engine = new YqlEngine(path -> now++);

    void scheme(String text) {
        QueryEngine.Compiled compiled = engine.compile(DATABASE, text);
        if (!compiled.isScheme()) {
            throw new IllegalArgumentException("no schema statement: " + text);
        }
        compiled.executeScheme(database);
    }

    Transaction begin() {
        return database.begin(Transaction.Mode.SERIALIZABLE_READ_WRITE);
    }

    /** Runs and commits; all result sets. */
    List<ResultSet> run(String text, Map<String, TypedValue> parameters) {
        Transaction transaction = begin();
        try {
            List<ResultSet> results = engine.compile(DATABASE, text).execute(transaction, parameters);
            transaction.commit();
            return results;
        } finally {
            transaction.rollback();
        }
    }

    List<ResultSet> run(String text) {
        return run(text, Map.of());
    }

    /** Rows of the only result set. */
    List<List<@Nullable Object>> rows(String text) {
        return rows(text, Map.of());
    }

    List<List<@Nullable Object>> rows(String text, Map<String, TypedValue> parameters) {
        List<ResultSet> results = run(text, parameters);
        if (results.size() != 1) {
            throw new IllegalStateException(results.size() + " result sets");
        }
        return results.get(0).rows();
    }

    /** The value of the only column of the only row. */
    @Nullable
    Object value(String text) {
        return rows(text).get(0).get(0);
    }

    /** The value of an expression. */
    @Nullable
    Object eval(String expression) {
        return value("SELECT " + expression + ";");
    }

    Type typeOf(String expression) {
        return run("SELECT " + expression + ";").get(0).columns().get(0).type();
    }

    /** The refusal of a text, whether it is found on compiling or on running. */
    YdbException refusal(String text, Map<String, TypedValue> parameters) {
        try {
            QueryEngine.Compiled compiled = engine.compile(DATABASE, text);
            if (compiled.isScheme()) {
                compiled.executeScheme(database);
            } else {
                run(text, parameters);
            }
        } catch (YdbException e) {
            return e;
        }
        throw new AssertionError("not refused: " + text);
    }

    YdbException refusal(String text) {
        return refusal(text, Map.of());
    }

    Status status(String text) {
        return refusal(text).status();
    }

    static Bytes bytes(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A list of structs with these columns. */
    static TypedValue structs(List<Type.Member> members, List<List<@Nullable Object>> rows) {
        return new TypedValue(new Type.ListOf(new Type.Struct(members)), new ArrayList<>(rows));
    }
}
