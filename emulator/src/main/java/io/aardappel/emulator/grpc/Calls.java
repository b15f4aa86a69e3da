package io.aardappel.emulator.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.value.InvalidValueException;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;

/**
 * The one way in which requests are answered: whatever a request does, the caller gets a status and the server goes on.
 * Refusals become their status, anything unforeseen becomes INTERNAL_ERROR and is logged. Thread-safe.
 */
public final class Calls {
    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

    private static final List<Fault> REFUSALS = List.of(Fault.ABORTED, Fault.UNAVAILABLE, Fault.OVERLOADED);

    private final Faults faults;
    private final Permissions permissions;
    private final int inFlightMax;
    private final AtomicInteger inFlight = new AtomicInteger();

    public Calls(ServerContext context) {
        this.faults = context.faults();
        this.permissions = context.accounts().permissions();
        this.inFlightMax = context.limits().callsInFlight();
    }

    /** Answers a call whose result is carried by an {@code Operation}; a body that answers null has no result. */
    public <R> void operation(
            StreamObserver<R> observer,
            Supplier<? extends @Nullable Site> site,
            Function<Operation, R> envelope,
            Supplier<? extends @Nullable Message> body) {
        bare(observer, site, refusal -> envelope.apply(failed(refusal)), () -> envelope.apply(done(body.get())));
    }

    /** Like {@link #operation} for a body that may have remarks on its success. */
    <R> void remarked(
            StreamObserver<R> observer,
            Supplier<? extends @Nullable Site> site,
            Function<Operation, R> envelope,
            Supplier<Answer> body) {
        bare(observer, site, refusal -> envelope.apply(failed(refusal)), () -> {
            Answer answer = body.get();
            return envelope.apply(done(answer.result()).toBuilder()
                    .addAllIssues(answer.warnings())
                    .build());
        });
    }

    /** Answers a call whose answer carries its status itself. */
    public <R> void bare(
            StreamObserver<R> observer,
            Supplier<? extends @Nullable Site> site,
            Function<YdbException, R> refused,
            Supplier<R> body) {
        if (inFlight.incrementAndGet() > inFlightMax) {
            inFlight.decrementAndGet();
            answer(observer, refused.apply(new YdbException(Status.OVERLOADED, "Too many requests are in flight")));
            return;
        }
        try {
            answer(observer, attempt(site, refused, body));
        } catch (NoAnswerException fault) {
            LOG.debug("left unanswered by a fault");
        } catch (StatusRuntimeException transport) {
            observer.onError(transport);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private <R> R attempt(
            Supplier<? extends @Nullable Site> site, Function<YdbException, R> refused, Supplier<R> body) {
        try {
            Site where = site.get();
            refuseByFault(where);
            refuseWithoutRight(where);
            return body.get();
        } catch (NoAnswerException | StatusRuntimeException passedOn) {
            throw passedOn;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            return refused.apply(refusal(failure));
        }
    }

    /** Throws the refusal that a fault wants at this place; commits of a transaction ask when they are reached. */
    public void refuseByFault(@Nullable Site site) {
        if (site != null) {
            refuseByFault(faults, site);
        }
    }

    private void refuseWithoutRight(@Nullable Site site) {
        if (site != null && !permissions.isFree()) {
            permissions.require(CallContext.current().user(), site);
        }
    }

    /** {@link #refuseByFault(Site)} for those who have the faults and not the calls. */
    public static void refuseByFault(Faults faults, Site site) {
        for (Fault fault : REFUSALS) {
            if (faults.strike(fault, site) != null) {
                throw new YdbException(Status.valueOf(fault.name()), "Refused by an ordered fault: " + fault.word());
            }
        }
    }

    /** What a failure of any kind is to the caller. */
    public static YdbException refusal(Throwable failure) {
        if (failure instanceof YdbException refusal) {
            return refusal;
        }
        if (failure instanceof InvalidValueException invalid) {
            return new YdbException(Status.BAD_REQUEST, String.valueOf(invalid.getMessage()));
        }
        String reference = UUID.randomUUID().toString();
        LOG.error("request failed by a defect of the emulator, reference {}", reference, failure);
        return new YdbException(
                Status.INTERNAL_ERROR,
                "Defect of the emulator (" + failure.getClass().getSimpleName() + "), look for " + reference
                        + " in its log");
    }

    private static <R> void answer(StreamObserver<R> observer, R answer) {
        observer.onNext(answer);
        observer.onCompleted();
    }

    private static Operation done(@Nullable Message result) {
        Operation.Builder operation = Operation.newBuilder().setReady(true).setStatus(StatusCode.SUCCESS);
        if (result != null) {
            operation.setResult(Any.pack(result));
        }
        return operation.build();
    }

    private static Operation failed(YdbException refusal) {
        List<Issue> issues = refusal.issues();
        return Operation.newBuilder()
                .setReady(true)
                .setStatus(StatusCodec.encode(refusal.status()))
                .addAllIssues(StatusCodec.encode(issues))
                .build();
    }
}
