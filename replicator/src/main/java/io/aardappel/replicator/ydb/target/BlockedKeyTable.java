package io.aardappel.replicator.ydb.target;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.ydb.transport.Calls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;
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
        this.retries = new Retries(session, settings);
        this.settings = settings;
        this.source = source;
    }

    public Outcome list() {
        BlockedKeys keys = new BlockedKeys(Optional.of(source));
        Optional<String> unread = keys.read(retries::run, settings.returnedRows());
        return unread.isPresent() ? new Outcome.Failed(unread.get()) : new Outcome.Done(keys.sorted());
    }

    /** Adding a key that is there changes nothing. */
    public Outcome add(List<ByteString> keys) {
        return each("UPSERT INTO `" + source.path() + "` (instance_id, key) VALUES ($id, $key);\n", keys);
    }

    /** Removing a key that is not there changes nothing. */
    public Outcome remove(List<ByteString> keys) {
        return each("DELETE FROM `" + source.path() + "` WHERE instance_id = $id AND key = $key;\n", keys);
    }

    private Outcome each(String text, List<ByteString> keys) {
        for (ByteString key : keys) {
            Call call = Call.of(text, Map.of("$id", Params.utf8(source.instanceId()), "$key", Params.bytes(key)));
            Result<ExecuteQueryResult> answer = retries.run(call);
            if (!answer.isSuccess()) {
                return new Outcome.Failed("table " + source.path() + ": " + Failure.words(answer.getStatus()));
            }
        }
        return new Outcome.Done(keys);
    }

    @Override
    public void close() {
        session.close();
    }
}
