package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Position;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import tech.ydb.core.Result;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.common.CommonProtos.VirtualTimestamp;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResult;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.CreateSessionResponse;
import tech.ydb.proto.table.YdbTable.CreateSessionResult;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.v1.TableServiceGrpc;

/**
 * Asks a database what a table looks like. Waits; thread-safe: each call has a session to itself, and sessions are kept for
 * the next.
 */
public final class Descriptions {
    private final Calls calls;
    private final Duration timeout;
    private final ConcurrentLinkedQueue<String> idle = new ConcurrentLinkedQueue<>();

    /**
     * Over these calls.
     *
     * @param timeout of each call
     */
    public Descriptions(Calls calls, Duration timeout) {
        this.calls = calls;
        this.timeout = timeout;
    }

    /**
     * The description of one table.
     *
     * @param path absolute
     */
    public Result<DescribeTableResult> table(String path) {
        String kept = idle.poll();
        if (kept != null) {
            Result<DescribeTableResult> described = table(kept, path);
            if (!Failure.spoilsSession(described.getStatus().getCode())) {
                return described;
            }
        }
        Result<CreateSessionResult> made = calls.call(
                TableServiceGrpc.getCreateSessionMethod(),
                CreateSessionRequest.getDefaultInstance(),
                timeout,
                CreateSessionResponse::getOperation,
                CreateSessionResult.class);
        return made.isSuccess()
                ? table(made.getValue().getSessionId(), path)
                : made.map(ignored -> DescribeTableResult.getDefaultInstance());
    }

    /** Whether something stands at a path, as far as the directories above it tell. */
    enum Presence {
        /** A directory names it, whether this account may see it or not. */
        THERE,
        /** The directory in which it would stand can be read and does not name it, or is gone itself. */
        ABSENT,
        /** No directory could be read. */
        UNKNOWN
    }

    /**
     * Tells what is gone from what is only hidden from this account, which a description does not.
     *
     * @param path absolute, of something below the database's root
     */
    Presence presence(String path) {
        String child = path;
        while (child.length() > calls.database().length()) {
            int slash = child.lastIndexOf('/');
            String directory = child.substring(0, slash);
            String name = child.substring(slash + 1);
            Result<ListDirectoryResult> listed = calls.call(
                    SchemeServiceGrpc.getListDirectoryMethod(),
                    ListDirectoryRequest.newBuilder().setPath(directory).build(),
                    timeout,
                    ListDirectoryResponse::getOperation,
                    ListDirectoryResult.class);
            if (listed.isSuccess()) {
                boolean named = listed.getValue().getChildrenList().stream()
                        .anyMatch(entry -> entry.getName().equals(name));
                return named ? Presence.THERE : Presence.ABSENT;
            }
            if (listed.getStatus().getCode() != StatusCode.SCHEME_ERROR) {
                return Presence.UNKNOWN;
            }
            child = directory;
        }
        return Presence.UNKNOWN;
    }

    private Result<DescribeTableResult> table(String session, String path) {
        Result<DescribeTableResult> described = calls.call(
                TableServiceGrpc.getDescribeTableMethod(),
                DescribeTableRequest.newBuilder()
                        .setSessionId(session)
                        .setPath(path)
                        .build(),
                timeout,
                DescribeTableResponse::getOperation,
                DescribeTableResult.class);
        if (!Failure.spoilsSession(described.getStatus().getCode())) {
            idle.add(session);
        }
        return described;
    }

    /** The description as the shape that records are decoded for. */
    public static TableShape shape(String path, DescribeTableResult described) {
        List<TableShape.Column> columns =
                described.getColumnsList().stream().map(Descriptions::column).toList();
        return new TableShape(path, columns, described.getPrimaryKeyList());
    }

    /** When the table was created, by its database's virtual time; {@link Position#ZERO} where the server does not tell. */
    public static Position created(DescribeTableResult described) {
        VirtualTimestamp at = described.getSelf().getCreatedAt();
        return at.getPlanStep() == 0 ? Position.ZERO : new Position(at.getPlanStep(), at.getTxId());
    }

    private static TableShape.Column column(ColumnMeta meta) {
        boolean hasDefault = meta.hasFromLiteral() || meta.hasFromSequence();
        TableShape.Column described = TableShape.Column.described(meta.getName(), meta.getType(), hasDefault);
        boolean nullablePg = meta.getType().getTypeCase() == Type.TypeCase.PG_TYPE && !meta.getNotNull();
        return nullablePg ? new TableShape.Column(meta.getName(), described.type(), false, hasDefault) : described;
    }
}
