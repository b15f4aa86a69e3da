package io.aardappel.access.ydb;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import javax.net.ssl.SSLException;
import tech.ydb.core.grpc.GrpcTransportBuilder;
import tech.ydb.core.impl.pool.ShadedNettyChannelFactory;

/** Channels that ask {@link TrustedAuthorities}, while those of the SDK keep the certificates that they were made with. */
final class TrustingChannels extends ShadedNettyChannelFactory {
    private final SslContext context;

    TrustingChannels(GrpcTransportBuilder builder, TrustedAuthorities authorities) {
        super(builder);
        try {
            this.context = GrpcSslContexts.forClient().trustManager(authorities).build();
        } catch (SSLException broken) {
            throw new IllegalStateException("the runtime cannot set up TLS", broken);
        }
    }

    @Override
    protected void configure(NettyChannelBuilder channel) {
        channel.sslContext(context);
    }
}
