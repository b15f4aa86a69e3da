package io.aardappel.replicator.ydb.target;

import com.google.protobuf.ByteString;
import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Reads and changes one instance's part of the table of blocked keys, for a person at a terminal. Waits; one thread only. The
 * transport belongs to the caller.
 */
public final class BlockedKeyTable implements AutoCloseable {
    /** What was found or done, or why nothing is known to have been. */
    public sealed interface Outcome {
        /** The keys that the act was about, in the order of their bytes where they were read. */
        record Done(List<ByteString> keys) implements Outcome {}

        /** The server's words and the table's name. */
        record Failed(String why) implements Outcome {}
    }

    private final TableSession session;
    private final Retries retries;
    private final TargetSettings settings;
    private final BlockedKeys.Source source;

    /** Acts on the part of the instance that the source names; its interval means nothing here. */
    public BlockedKeyTable(GrpcTransport transport, BlockedKeys.Source source, TargetSettings settings) {
        this.session = new TableSession(new Calls(transport));
        this.retries = Retries.forAPerson(session, settings);
        this.settings = settings;
        this.source = source;
    }

    public Outcome list() {
        BlockedKeys keys = new BlockedKeys(Optional.of(source));
        Optional<String> unread = keys.read(retries::run, settings.returnedRows());
        return unread.isPresent() ? new Outcome.Failed(unread.get()) : new Outcome.Done(keys.sorted());
    }

    /** All or none. Adding a key that is there changes nothing. */
    public Outcome add(List<ByteString> keys) {
        return together(
                "UPSERT INTO `" + source.path()
                        + "` (instance_id, key) SELECT instance_id, key FROM AS_TABLE($keys);\n",
                keys);
    }

    /** All that are there, or none; the answer names those. */
    public Outcome remove(List<ByteString> keys) {
        Outcome found = list();
        if (!(found instanceof Outcome.Done there)) {
            return found;
        }
        List<ByteString> blocked =
                keys.stream().filter(there.keys()::contains).distinct().toList();
        return blocked.isEmpty()
                ? new Outcome.Done(blocked)
                : together(
                        "DELETE FROM `" + source.path() + "` ON SELECT instance_id, key FROM AS_TABLE($keys);\n",
                        blocked);
    }

    private Outcome together(String text, List<ByteString> keys) {
        Result<ExecuteQueryResult> answer = retries.run(Call.of(text, Map.of("$keys", rows(keys))));
        return answer.isSuccess()
                ? new Outcome.Done(keys)
                : new Outcome.Failed("table " + source.path() + ": " + StatusText.of(answer.getStatus()));
    }

    private TypedValue rows(List<ByteString> keys) {
        StructType.Builder row = StructType.newBuilder()
                .addMembers(RowForm.member("instance_id", Params.UTF8))
                .addMembers(RowForm.member("key", Params.STRING));
        return Params.rows(
                row,
                keys.stream()
                        .map(key -> Value.newBuilder()
                                .addItems(Params.text(source.instanceId()))
                                .addItems(Value.newBuilder().setBytesValue(key))
                                .build())
                        .toList());
    }

    @Override
    public void close() {
        session.close();
    }
}
