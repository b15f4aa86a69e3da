package io.aardappel.access.ydb;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Issue;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcRequestSettings;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.core.operation.OperationBinder;
import tech.ydb.proto.OperationProtos.Operation;

/**
 * Unary calls that wait. Never to be used on the engine's thread. Every failure is a {@link Status}: the server's, or a
 * client one when no answer came. Thread-safe.
 */
public final class Calls {
    /** How much longer than the deadline sent to the server an answer is waited for. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private static final Duration PAUSE_FIRST = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    private final GrpcTransport transport;
    private final @Nullable Integer node;
    private final int tries;

    /** Calls that go wherever the transport sends them. */
    public Calls(GrpcTransport transport) {
        this(transport, null, 1);
    }

    private Calls(GrpcTransport transport, @Nullable Integer node, int tries) {
        this.transport = transport;
        this.node = node;
        this.tries = tries;
    }

    /** The same calls, sent to that node of the cluster where the transport knows it. */
    public Calls toNode(int number) {
        return new Calls(transport, number, tries);
    }

    /**
     * The same calls, each made up to so many times, each time with the whole time limit, while it is not answered in
     * time or is only put off. For calls that may be made twice without harm.
     *
     * @param number at least 1
     */
    public Calls tried(int number) {
        return new Calls(transport, node, number);
    }

    public String database() {
        return transport.getDatabase();
    }

    /** Makes a call whose answer is an operation with a result. */
    public <Q, R, M extends Message> Result<M> call(
            MethodDescriptor<Q, R> method,
            Q request,
            Duration timeout,
            Function<R, Operation> operation,
            Class<M> result) {
        return again(() -> await(
                transport
                        .unaryCall(method, settings(timeout), request)
                        .thenApply(OperationBinder.bindSync(operation, result)),
                timeout));
    }

    /** Makes a call whose answer is an operation without a result. */
    public <Q, R> Status call(
            MethodDescriptor<Q, R> method, Q request, Duration timeout, Function<R, Operation> operation) {
        return again(() -> await(
                        transport
                                .unaryCall(method, settings(timeout), request)
                                .thenApply(OperationBinder.bindSync(operation))
                                .thenApply(status -> status.isSuccess() ? Result.success(status) : Result.fail(status)),
                        timeout))
                .getStatus();
    }

    private <T> Result<T> again(Supplier<Result<T>> call) {
        Result<T> answer = call.get();
        Duration pause = PAUSE_FIRST;
        for (int made = 1; made < tries && mayPass(answer.getStatus().getCode()); made++) {
            LockSupport.parkNanos(this, pause.toNanos());
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
            answer = call.get();
        }
        return answer;
    }

    /** Whether it says nothing of what was asked. With a session that is gone the call would have to name a new one. */
    private static boolean mayPass(StatusCode code) {
        return switch (code) {
            case UNAVAILABLE,
                    OVERLOADED,
                    TIMEOUT,
                    TRANSPORT_UNAVAILABLE,
                    CLIENT_RESOURCE_EXHAUSTED,
                    CLIENT_DEADLINE_EXCEEDED,
                    CLIENT_DEADLINE_EXPIRED -> true;
            default -> false;
        };
    }

    /** A deadline that has passed sends nothing; to the SDK a duration of zero would mean none. */
    private GrpcRequestSettings settings(Duration timeout) {
        return GrpcRequestSettings.newBuilder()
                .withDeadlineAfter(System.nanoTime() + timeout.toNanos())
                .withPreferredNodeID(node)
                .build();
    }

    private static <T> Result<T> await(CompletableFuture<Result<T>> answer, Duration timeout) {
        try {
            return answer.get(timeout.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return failed(StatusCode.CLIENT_DEADLINE_EXCEEDED, "no answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(StatusCode.CLIENT_CANCELLED, "interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            return failed(StatusCode.CLIENT_INTERNAL_ERROR, String.valueOf(e.getCause()));
        }
    }

    private static <T> Result<T> failed(StatusCode code, String why) {
        return Result.fail(Status.of(code).withIssues(Issue.of(why, Issue.Severity.ERROR)));
    }
}
