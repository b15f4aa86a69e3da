package io.aardappel.operator.observe;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes the beginning of a body and lets the rest go. Called by one thread at a time, as the JDK's HTTP client does. */
final class PageHead implements BodySubscriber<byte[]> {
    /** Enough for all that stands before the streams. */
    static final int BYTES_MAX = 64 << 10;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            byte[] bytes = new byte[Math.min(part.remaining(), BYTES_MAX - taken.size())];
            part.get(bytes);
            taken.write(bytes, 0, bytes.length);
        }
        Flow.Subscription given = subscription;
        if (given != null && taken.size() < BYTES_MAX) {
            given.request(1);
        } else if (given != null) {
            given.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(taken.toByteArray());
    }
}
