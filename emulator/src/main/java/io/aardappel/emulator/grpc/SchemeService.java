package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.table.Database;
import io.grpc.stub.StreamObserver;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResult;
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

    SchemeService(ServerContext context, Calls calls) {
        this.context = context;
        this.calls = calls;
    }

    private Database database(String path) {
        return context.databases().ofCall(path).database();
    }

    private Site site(Operation operation, String path) {
        Database database = database(path);
        return Site.at(database.path(), operation, path.isEmpty() ? "" : Databases.absolute(database, path));
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
                    database(path).makeDirectory(Databases.absolute(database(path), path));
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
                    database(path).removeDirectory(Databases.absolute(database(path), path));
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
                () -> {
                    Database database = database(path);
                    String absolute = Databases.absolute(database, path);
                    ListDirectoryResult.Builder result = ListDirectoryResult.newBuilder()
                            .setSelf(SchemeEntries.encode(database.describePath(absolute)));
                    database.list(absolute).forEach(child -> result.addChildren(SchemeEntries.encode(child)));
                    return result.build();
                });
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
                () -> {
                    Database database = database(path);
                    return DescribePathResult.newBuilder()
                            .setSelf(SchemeEntries.encode(database.describePath(Databases.absolute(database, path))))
                            .build();
                });
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
                    database(path).describePath(Databases.absolute(database(path), path));
                    return null;
                });
    }
}
