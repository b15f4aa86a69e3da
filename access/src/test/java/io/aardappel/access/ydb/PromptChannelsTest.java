package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.core.impl.pool.ManagedChannelFactory;

@DisplayName("A channel whose server is away")
class PromptChannelsTest {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Connects to nothing, and counts how often it is told to try now. */
    private static final class Channel extends ManagedChannel {
        final AtomicInteger looks = new AtomicInteger();
        final AtomicInteger tries = new AtomicInteger();
        volatile ConnectivityState state = ConnectivityState.TRANSIENT_FAILURE;
        volatile boolean shutdown;

        @Override
        public ConnectivityState getState(boolean requestConnection) {
            looks.incrementAndGet();
            assertThat(requestConnection).as("an idle channel is left alone").isFalse();
            return state;
        }

        @Override
        public void resetConnectBackoff() {
            tries.incrementAndGet();
        }

        @Override
        public ManagedChannel shutdown() {
            shutdown = true;
            return this;
        }

        @Override
        public ManagedChannel shutdownNow() {
            return shutdown();
        }

        @Override
        public boolean isShutdown() {
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return shutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shutdown;
        }

        @Override
        public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
            throw new UnsupportedOperationException("nobody calls");
        }

        @Override
        public String authority() {
            return "nowhere";
        }
    }

    private final Channel channel = new Channel();

    @BeforeEach
    void make() {
        ManagedChannelFactory factory = new ManagedChannelFactory() {
            @Override
            public ManagedChannel newManagedChannel(String host, int port, String sslHostOverride) {
                return channel;
            }

            @Override
            public long getConnectTimeoutMs() {
                return 7;
            }
        };
        PromptChannels prompt = new PromptChannels(factory, PAUSE);
        assertThat(prompt.newManagedChannel("localhost", 1, "")).isSameAs(channel);
        assertThat(prompt.getConnectTimeoutMs()).isEqualTo(7);
    }

    @AfterEach
    void end() {
        channel.shutdown();
    }

    @Test
    void isToldAgainAndAgainToTryNow() {
        await().atMost(LIMIT).until(() -> channel.tries.get() >= 3);
    }

    @Test
    void isLeftAloneWhileItIsConnected() {
        channel.state = ConnectivityState.READY;
        await().atMost(LIMIT).until(() -> channel.looks.get() >= 2);
        int before = channel.tries.get();
        int looks = channel.looks.get();
        await().atMost(LIMIT).until(() -> channel.looks.get() >= looks + 3);
        assertThat(channel.tries).hasValue(before);
    }

    @Test
    void isForgottenWhenItIsShutDown() {
        await().atMost(LIMIT).until(() -> channel.tries.get() >= 1);
        channel.shutdown();
        Channel other = new Channel();
        new PromptChannels(
                        new ManagedChannelFactory() {
                            @Override
                            public ManagedChannel newManagedChannel(String host, int port, String sslHostOverride) {
                                return other;
                            }

                            @Override
                            public long getConnectTimeoutMs() {
                                return 7;
                            }
                        },
                        PAUSE)
                .newManagedChannel("localhost", 2, "");
        await().atMost(LIMIT).until(() -> other.looks.get() >= 2);
        int looks = channel.looks.get();
        await().atMost(LIMIT).until(() -> other.looks.get() >= 5);
        other.shutdown();
        assertThat(channel.looks).hasValue(looks);
    }
}
