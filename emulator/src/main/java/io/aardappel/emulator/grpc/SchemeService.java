package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.table.Database;
import io.grpc.stub.StreamObserver;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.MakeDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.MakeDirectoryResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.ModifyPermissionsRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ModifyPermissionsResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.RemoveDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.RemoveDirectoryResponse;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc.SchemeServiceImplBase;

/** Ydb.Scheme.V1: the path tree. Permissions are accepted and kept nowhere: every caller may do everything. */
final class SchemeService extends SchemeServiceImplBase {
    private final ServerContext context;
    private final Calls calls;
    private final RootDirectory root;

    SchemeService(ServerContext context, Calls calls) {
        this.context = context;
        this.calls = calls;
        this.root = new RootDirectory(context.databases());
    }

    private Database database(String path) {
        return context.databases().ofCall(path).database();
    }

    private Site site(Operation operation, String path) {
        Database database = database(path);
        return Queries.siteOf(database, operation, path);
    }

    @Override
    public void makeDirectory(MakeDirectoryRequest request, StreamObserver<MakeDirectoryResponse> observer) {
        String path = request.getPath();
        calls.operation(
                observer,
                () -> site(Operation.SCHEME, path),
                operation -> MakeDirectoryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> {
                    String absolute = Databases.absolute(database(path), path);
                    root.refuseCreation(absolute);
                    database(path).makeDirectory(absolute);
                    return null;
                });
    }

    @Override
    public void removeDirectory(RemoveDirectoryRequest request, StreamObserver<RemoveDirectoryResponse> observer) {
        String path = request.getPath();
        calls.operation(
                observer,
                () -> site(Operation.SCHEME, path),
                operation -> RemoveDirectoryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> {
                    String absolute = Databases.absolute(database(path), path);
                    root.refuseRemoval(absolute);
                    database(path).removeDirectory(absolute);
                    return null;
                });
    }

    @Override
    public void listDirectory(ListDirectoryRequest request, StreamObserver<ListDirectoryResponse> observer) {
        String path = request.getPath();
        calls.operation(
                observer,
                () -> site(Operation.DESCRIBE, path),
                operation -> ListDirectoryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> list(database(path), Databases.absolute(database(path), path)));
    }

    private ListDirectoryResult list(Database database, String path) {
        ListDirectoryResult.Builder result = ListDirectoryResult.newBuilder();
        Entry above = root.find(path);
        if (above != null) {
            return result.setSelf(above).addAllChildren(root.children(path)).build();
        }
        result.setSelf(SchemeEntries.encode(database.describePath(path)));
        database.list(path).forEach(child -> result.addChildren(SchemeEntries.encode(child)));
        return result.build();
    }

    private Entry describe(Database database, String path) {
        Entry above = root.find(path);
        return above != null
                ? above
                : SchemeEntries.encode(database.describePath(path)).build();
    }

    @Override
    public void describePath(DescribePathRequest request, StreamObserver<DescribePathResponse> observer) {
        String path = request.getPath();
        calls.operation(
                observer,
                () -> site(Operation.DESCRIBE, path),
                operation -> DescribePathResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> DescribePathResult.newBuilder()
                        .setSelf(describe(database(path), Databases.absolute(database(path), path)))
                        .build());
    }

    @Override
    public void modifyPermissions(
            ModifyPermissionsRequest request, StreamObserver<ModifyPermissionsResponse> observer) {
        String path = request.getPath();
        calls.operation(
                observer,
                () -> site(Operation.SCHEME, path),
                operation -> ModifyPermissionsResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> {
                    describe(database(path), Databases.absolute(database(path), path));
                    return null;
                });
    }
}
