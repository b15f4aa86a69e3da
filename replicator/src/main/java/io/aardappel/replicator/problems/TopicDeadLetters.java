package io.aardappel.replicator.problems;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.description.Codec;
import tech.ydb.topic.settings.WriterSettings;
import tech.ydb.topic.write.AsyncWriter;
import tech.ydb.topic.write.Message;
import tech.ydb.topic.write.QueueOverflowException;
import tech.ydb.topic.write.WriteAck;

/**
 * Dead letters in a topic. All of one process go to one partition, which the server chooses, as those of the Go program do.
 * A message that was not acknowledged in time is tried with a new producer, so it may be there twice. One thread only.
 */
public final class TopicDeadLetters implements DeadLetters {
    private final TopicClient client;
    private final String path;
    private final Duration timeout;
    private @Nullable AsyncWriter writer;

    /**
     * Opens nothing yet. The transport belongs to the caller.
     *
     * @param path absolute path of the topic
     * @param timeout of one try
     */
    public TopicDeadLetters(GrpcTransport transport, String path, Duration timeout) {
        this.client = TopicClient.newClient(transport).build();
        this.path = path;
        this.timeout = timeout;
    }

    @Override
    public Optional<String> write(List<byte[]> messages) {
        try {
            AsyncWriter open = writer == null ? open() : writer;
            writer = open;
            List<CompletableFuture<WriteAck>> acknowledgements = new ArrayList<>();
            for (byte[] message : messages) {
                acknowledgements.add(open.send(Message.of(message)));
            }
            for (CompletableFuture<WriteAck> acknowledgement : acknowledgements) {
                var unused = acknowledgement.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            return Optional.empty();
        } catch (TimeoutException silent) {
            return failed("no acknowledgement within " + timeout.toMillis() + " ms");
        } catch (ExecutionException refused) {
            return failed(String.valueOf(refused.getCause()));
        } catch (QueueOverflowException | RuntimeException refused) {
            return failed(refused.toString());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return failed("the process ends");
        }
    }

    private AsyncWriter open() throws InterruptedException, ExecutionException, TimeoutException {
        AsyncWriter made = client.createAsyncWriter(WriterSettings.newBuilder()
                .setTopicPath(path)
                .setProducerId(UUID.randomUUID().toString())
                .setCodec(Codec.RAW)
                .build());
        writer = made;
        var unused = made.init().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return made;
    }

    private Optional<String> failed(String why) {
        shutDown();
        return Optional.of("topic " + path + ": " + why);
    }

    private void shutDown() {
        AsyncWriter old = writer;
        writer = null;
        if (old != null) {
            var unused = old.shutdown();
        }
    }

    @Override
    public void close() {
        shutDown();
        client.close();
    }
}
