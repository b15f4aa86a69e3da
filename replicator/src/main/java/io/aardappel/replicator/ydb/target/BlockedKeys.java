package io.aardappel.replicator.ydb.target;

import com.google.protobuf.ByteString;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.RawKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * The keys of rows that are left out, as the table of blocked keys said when the term began. The table is looked at again at
 * an interval. Read by one thread, asked by any.
 */
public final class BlockedKeys {
    private static final Logger log = LoggerFactory.getLogger(BlockedKeys.class);

    private final Optional<Source> source;
    private volatile Set<ByteString> keys = Set.of();
    private long readAt;

    /**
     * Where they are.
     *
     * @param path absolute path of the table
     * @param interval between two readings
     */
    public record Source(String path, String instanceId, Duration interval) {}

    /** None before they are read. */
    public BlockedKeys(Optional<Source> source) {
        this.source = source;
    }

    /** For an instance without a filter. */
    public static BlockedKeys none() {
        return new BlockedKeys(Optional.empty());
    }

    /**
     * The filter of the streams into one table.
     *
     * @param table as the configuration spells it
     */
    public KeyFilter of(String table) {
        if (source.isEmpty()) {
            return KeyFilter.NONE; // without a filter messages need not be looked at one by one
        }
        return message -> {
            Set<ByteString> now = keys;
            return !now.isEmpty()
                    && RawKey.of(table, message)
                            .filter(key -> now.contains(ByteString.copyFrom(key)))
                            .isPresent();
        };
    }

    public int size() {
        return keys.size();
    }

    List<ByteString> sorted() {
        return keys.stream()
                .sorted(ByteString.unsignedLexicographicalComparator())
                .toList();
    }

    /**
     * Looks at the table when the keys are older than the interval. They stay what they are, until {@link #read}.
     *
     * @return whether the table says something else now; when it cannot be read, it does not
     */
    boolean haveChanged(Function<Call, Result<ExecuteQueryResult>> calls, int pageRows) {
        if (source.isEmpty()
                || System.nanoTime() - readAt <= source.get().interval().toNanos()) {
            return false;
        }
        Set<ByteString> found = new HashSet<>();
        Optional<String> unread = find(calls, pageRows, found);
        unread.ifPresent(why -> log.warn("blocked keys could not be read again: {}", why));
        readAt = System.nanoTime();
        return unread.isEmpty() && !found.equals(keys);
    }

    /**
     * Reads them all; from now on they count.
     *
     * @return why they could not be read, absent when they were
     */
    Optional<String> read(Function<Call, Result<ExecuteQueryResult>> calls, int pageRows) {
        Set<ByteString> found = new HashSet<>();
        Optional<String> unread = find(calls, pageRows, found);
        if (unread.isPresent()) {
            return unread;
        }
        if (!found.equals(keys)) {
            log.atInfo()
                    .setMessage("blocked keys")
                    .addKeyValue("count", found.size())
                    .log();
        }
        keys = Set.copyOf(found);
        readAt = System.nanoTime();
        return Optional.empty();
    }

    private Optional<String> find(
            Function<Call, Result<ExecuteQueryResult>> calls, int pageRows, Set<ByteString> found) {
        if (source.isEmpty()) {
            return Optional.empty();
        }
        Source from = source.get();
        Call call = page(from, Optional.empty(), pageRows);
        while (true) {
            Result<ExecuteQueryResult> answer = calls.apply(call);
            if (!answer.isSuccess()) {
                return Optional.of("table " + from.path() + ": " + StatusText.of(answer.getStatus()));
            }
            ResultSet page = answer.getValue().getResultSets(0);
            ByteString last = ByteString.EMPTY;
            for (var row : page.getRowsList()) {
                last = row.getItems(0).getBytesValue();
                found.add(last);
            }
            if (page.getRowsCount() < pageRows) {
                return Optional.empty();
            }
            call = page(from, Optional.of(last), pageRows);
        }
    }

    private static Call page(Source from, Optional<ByteString> after, int rows) {
        TypedValue instance = Params.utf8(from.instanceId());
        String condition = after.isPresent() ? "key > $after" : "key IS NOT NULL";
        String text = "SELECT key FROM `" + from.path() + "` WHERE instance_id = $id AND " + condition
                + " ORDER BY key LIMIT " + rows + ";\n";
        return Call.of(
                text,
                after.map(last -> Map.of("$id", instance, "$after", Params.bytes(last)))
                        .orElse(Map.of("$id", instance)));
    }
}
