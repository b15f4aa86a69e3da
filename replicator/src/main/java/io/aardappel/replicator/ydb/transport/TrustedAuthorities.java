package io.aardappel.replicator.ydb.transport;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The certificates that a TLS connection trusts: the system's and those given, as the Go program adds them. */
final class TrustedAuthorities {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private TrustedAuthorities() {}

    /**
     * Adds certificates to those of the runtime.
     *
     * @param pem certificates to add
     * @return PEM of all, those given first
     */
    static byte[] withSystem(byte[] pem) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(pem);
        all.write('\n');
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            @Nullable KeyStore systems = null;
            factory.init(systems);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager x509) {
                    for (X509Certificate issuer : x509.getAcceptedIssuers()) {
                        all.writeBytes(pem(issuer.getEncoded()));
                    }
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the system's trusted certificates cannot be read", e);
        }
        return all.toByteArray();
    }

    private static byte[] pem(byte[] der) {
        String text = "-----BEGIN CERTIFICATE-----\n" + LINES.encodeToString(der) + "\n-----END CERTIFICATE-----\n";
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
