package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.YdbException;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The answer of a streaming call: parts that are produced no faster than the client takes them. The producer runs on a
 * worker's thread and waits there; its call's own callbacks stay free.
 */
final class PacedStream<R> {
    /** Makes the parts; may throw like any request. */
    @FunctionalInterface
    interface Producer<R> {
        void produce(PacedStream<R> stream);
    }

    /** Thrown into a producer whose client is gone. */
    private static final class ClientGoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ClientGoneException() {
            super("the client ended the call", null, false, false);
        }
    }

    private final ServerCallStreamObserver<R> observer;
    private final Object ready = new Object();

    private PacedStream(ServerCallStreamObserver<R> observer) {
        this.observer = observer;
        observer.setOnReadyHandler(this::wake);
        observer.setOnCancelHandler(this::wake);
    }

    /**
     * Answers a streaming call.
     *
     * @param refused makes the last part of a stream that failed
     */
    static <R> void run(
            StreamObserver<R> call, Executor workers, Function<YdbException, R> refused, Producer<R> producer) {
        PacedStream<R> stream = new PacedStream<>((ServerCallStreamObserver<R>) call);
        workers.execute(Context.current().wrap(() -> stream.finish(refused, producer)));
    }

    private void finish(Function<YdbException, R> refused, Producer<R> producer) {
        try {
            produce(refused, producer);
            observer.onCompleted();
        } catch (ClientGoneException gone) {
            observer.onError(Status.CANCELLED.withDescription(gone.getMessage()).asRuntimeException());
        } catch (NoAnswerException fault) {
            // The call stays open until the client gives up: that is the fault.
            wake();
        }
    }

    private void produce(Function<YdbException, R> refused, Producer<R> producer) {
        try {
            producer.produce(this);
        } catch (ClientGoneException | NoAnswerException passedOn) {
            throw passedOn;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            send(refused.apply(Calls.refusal(failure)));
        }
    }

    /** Sends one part as soon as the client is ready for it. */
    void send(R part) {
        awaitReady();
        if (observer.isCancelled()) {
            throw new ClientGoneException();
        }
        observer.onNext(part);
    }

    private void awaitReady() {
        synchronized (ready) {
            try {
                while (!observer.isReady() && !observer.isCancelled()) {
                    ready.wait();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ClientGoneException();
            }
        }
    }

    private void wake() {
        synchronized (ready) {
            ready.notifyAll();
        }
    }
}
