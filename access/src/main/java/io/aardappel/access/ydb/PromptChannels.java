package io.aardappel.access.ydb;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import tech.ydb.core.impl.pool.ManagedChannelFactory;

/**
 * Channels that connect again soon after a server is back, however long it was away. By itself a channel doubles its pause
 * with each failure, up to two minutes, and none of its settings bounds that. Thread-safe.
 */
final class PromptChannels implements ManagedChannelFactory {
    /** Longest pause between two tries to connect. */
    static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "reconnect");
        thread.setDaemon(true);
        return thread;
    });

    private final ManagedChannelFactory channels;
    private final Duration pauseMax;

    /** @param channels makes them */
    PromptChannels(ManagedChannelFactory channels) {
        this(channels, PAUSE_MAX);
    }

    PromptChannels(ManagedChannelFactory channels, Duration pauseMax) {
        this.channels = channels;
        this.pauseMax = pauseMax;
    }

    @Override
    public ManagedChannel newManagedChannel(String host, int port, String sslHostOverride) {
        ManagedChannel channel = channels.newManagedChannel(host, port, sslHostOverride);
        lookAgain(channel);
        return channel;
    }

    @Override
    public long getConnectTimeoutMs() {
        return channels.getConnectTimeoutMs();
    }

    private void lookAgain(ManagedChannel channel) {
        ScheduledFuture<?> unused = CLOCK.schedule(() -> look(channel), pauseMax.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look(ManagedChannel channel) {
        if (channel.isShutdown()) {
            return;
        }
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        lookAgain(channel);
    }
}
