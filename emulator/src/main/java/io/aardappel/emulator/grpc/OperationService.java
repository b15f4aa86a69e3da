package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import tech.ydb.proto.OperationProtos.CancelOperationRequest;
import tech.ydb.proto.OperationProtos.CancelOperationResponse;
import tech.ydb.proto.OperationProtos.ForgetOperationRequest;
import tech.ydb.proto.OperationProtos.ForgetOperationResponse;
import tech.ydb.proto.OperationProtos.GetOperationRequest;
import tech.ydb.proto.OperationProtos.GetOperationResponse;
import tech.ydb.proto.OperationProtos.ListOperationsRequest;
import tech.ydb.proto.OperationProtos.ListOperationsResponse;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;
import tech.ydb.proto.operation.v1.OperationServiceGrpc.OperationServiceImplBase;

/** Long-running operations. Every request is answered when it is done, so there never is one to be found. */
final class OperationService extends OperationServiceImplBase {
    private static final Site SITE = Site.of("", Operation.DESCRIBE);

    private final Calls calls;

    OperationService(Calls calls) {
        this.calls = calls;
    }

    private static YdbException unknown(String id) {
        return new YdbException(Status.NOT_FOUND, "Operation not found: " + id);
    }

    /** Answers with a status alone. */
    private <R> void answer(
            StreamObserver<R> observer, BiFunction<StatusCode, List<IssueMessage>, R> envelope, Supplier<R> body) {
        calls.bare(
                observer,
                () -> SITE,
                refusal -> envelope.apply(StatusCodec.encode(refusal.status()), StatusCodec.encode(refusal.issues())),
                body);
    }

    @Override
    public void getOperation(GetOperationRequest request, StreamObserver<GetOperationResponse> observer) {
        calls.operation(
                observer,
                () -> SITE,
                operation -> GetOperationResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> {
                    throw unknown(request.getId());
                });
    }

    @Override
    public void cancelOperation(CancelOperationRequest request, StreamObserver<CancelOperationResponse> observer) {
        answer(
                observer,
                (status, issues) -> CancelOperationResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> {
                    throw unknown(request.getId());
                });
    }

    @Override
    public void forgetOperation(ForgetOperationRequest request, StreamObserver<ForgetOperationResponse> observer) {
        answer(
                observer,
                (status, issues) -> ForgetOperationResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> {
                    throw unknown(request.getId());
                });
    }

    @Override
    public void listOperations(ListOperationsRequest request, StreamObserver<ListOperationsResponse> observer) {
        answer(
                observer,
                (status, issues) -> ListOperationsResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> ListOperationsResponse.newBuilder()
                        .setStatus(StatusCode.SUCCESS)
                        .build());
    }
}
