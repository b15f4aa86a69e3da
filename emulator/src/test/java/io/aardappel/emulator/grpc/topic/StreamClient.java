package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One bidirectional call as a test drives it: what the server sends waits in a queue. */
abstract class StreamClient<Q extends MessageLite, A extends MessageLite> implements ClientResponseObserver<Q, A> {
    private static final int WAIT_SECONDS = 10;

    /** What stands in the queue after the last message. */
    record End(@Nullable Status error) {}

    private final LinkedBlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private @Nullable ClientCallStreamObserver<Q> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> stream) {
        call = stream;
    }

    @Override
    public void onNext(A message) {
        received.add(message);
    }

    @Override
    public void onError(Throwable error) {
        received.add(new End(Status.fromThrowable(error)));
    }

    @Override
    public void onCompleted() {
        received.add(new End(null));
    }

    private ClientCallStreamObserver<Q> call() {
        if (call == null) {
            throw new IllegalStateException("the call has not begun");
        }
        return call;
    }

    void push(Q message) {
        call().onNext(message);
    }

    /** The client closes its side in good order. */
    void complete() {
        call().onCompleted();
    }

    /** The client goes away without a word. */
    void cancel() {
        call().cancel("the client is gone", new StatusRuntimeException(Status.CANCELLED));
    }

    /** The connection breaks. */
    Status broken() {
        Object message = poll();
        assertThat(message).isInstanceOf(End.class);
        Status error = ((End) message).error();
        assertThat(error).isNotNull();
        return error == null ? Status.OK : error;
    }

    /** The call ends with OK. */
    void ended() {
        assertThat(poll()).isEqualTo(new End(null));
    }

    /** The next message; fails when none comes for long. */
    Object poll() {
        try {
            Object message = received.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            assertThat(message).as("a message within %d s", WAIT_SECONDS).isNotNull();
            return message == null ? new End(null) : message;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The next message if there is one already. */
    @Nullable
    Object pollNow() {
        return received.poll();
    }
}
