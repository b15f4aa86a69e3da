package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.grpc.stub.StreamObserver;
import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.YdbAuth.LoginResponse;
import tech.ydb.proto.auth.YdbAuth.LoginResult;
import tech.ydb.proto.auth.v1.AuthServiceGrpc.AuthServiceImplBase;

/** Changes a user's password into a ticket. */
final class AuthService extends AuthServiceImplBase {
    private final ServerContext context;
    private final Calls calls;

    AuthService(ServerContext context, Calls calls) {
        this.context = context;
        this.calls = calls;
    }

    @Override
    public void login(LoginRequest request, StreamObserver<LoginResponse> observer) {
        calls.operation(
                observer,
                () -> Site.of("", Operation.LOGIN),
                operation -> LoginResponse.newBuilder().setOperation(operation).build(),
                () -> LoginResult.newBuilder()
                        .setToken(context.accounts()
                                .login(request.getUser(), request.getPassword())
                                .orElseThrow(() -> new YdbException(
                                        Status.UNAUTHORIZED, "Invalid user or password: '" + request.getUser() + "'")))
                        .build());
    }
}
