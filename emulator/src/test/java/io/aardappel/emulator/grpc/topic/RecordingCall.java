package io.aardappel.emulator.grpc.topic;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.function.Consumer;

/** The server's side of a call without a transport: what is sent goes to a consumer at once. */
final class RecordingCall<A> extends ServerCallStreamObserver<A> {
    private final Consumer<A> sent;
    private final Runnable ended;

    RecordingCall(Consumer<A> sent, Runnable ended) {
        this.sent = sent;
        this.ended = ended;
    }

    @Override
    public void onNext(A message) {
        sent.accept(message);
    }

    @Override
    public void onError(Throwable error) {
        ended.run();
    }

    @Override
    public void onCompleted() {
        ended.run();
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}
}
