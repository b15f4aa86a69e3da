package io.aardappel.emulator.grpc;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Certificate and key of the server. */
public final class ServerTls {
    private static final String ALIAS = "emulator";
    private static final String LOCALHOST = "localhost";
    private static final long KEYTOOL_SECONDS_MAX = 60;

    private final SslContext context;
    private final SSLContext jdkContext;
    private final String certificatePem;

    private ServerTls(Supplier<SslContextBuilder> identity, String certificatePem) throws SSLException {
        this.context = GrpcSslContexts.configure(identity.get()).build();
        SslContext jdk = identity.get().sslProvider(SslProvider.JDK).build();
        this.jdkContext = ((JdkSslContext) jdk).context();
        this.certificatePem = certificatePem;
    }

    SslContext context() {
        return context;
    }

    /** For other servers that are to have the same certificate, such as one that exchanges tokens. */
    public SSLContext jdkContext() {
        return jdkContext;
    }

    /** The certificate chain as PEM, for clients to trust. */
    public String certificatePem() {
        return certificatePem;
    }

    /** Uses PEM files: a certificate chain and its private key, PKCS #8 without a password. */
    public static ServerTls of(Path certificate, Path key) {
        try {
            return new ServerTls(
                    () -> SslContextBuilder.forServer(certificate.toFile(), key.toFile()),
                    Files.readString(certificate));
        } catch (IOException | IllegalArgumentException unusable) {
            throw new IllegalArgumentException(
                    "certificate " + certificate + " and key " + key + " cannot be used: give a PEM chain and its "
                            + "unencrypted PKCS #8 key",
                    unusable);
        }
    }

    /** Makes a new key with a certificate for localhost, signed by itself, by the JDK's keytool. */
    public static ServerTls selfSigned() {
        return selfSignedFor(LOCALHOST);
    }

    /** The same with a certificate for a host of another name too. */
    public static ServerTls selfSignedFor(String host) {
        try {
            Path folder = Files.createTempDirectory("emulator-tls");
            Path store = folder.resolve("store.p12");
            String password = UUID.randomUUID().toString();
            try {
                generate(store, password, host);
                return read(store, password.toCharArray());
            } finally {
                Files.deleteIfExists(store);
                Files.delete(folder);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make a certificate", failure);
        }
    }

    private static void generate(Path store, String password, String host) throws IOException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        ProcessBuilder command = new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host + ",dns:" + LOCALHOST + ",ip:127.0.0.1,ip:0:0:0:0:0:0:0:1",
                "-ext",
                "bc=ca:true",
                "-validity",
                "365",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass:env",
                "EMULATOR_STORE_PASSWORD");
        command.environment().put("EMULATOR_STORE_PASSWORD", password);
        Process process = command.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("keytool of " + keytool + " failed: " + said);
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool ran", interrupted);
        }
    }

    private static ServerTls read(Path store, char[] password) throws IOException {
        try (InputStream stream = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(stream, password);
            PrivateKey key = (PrivateKey) keys.getKey(ALIAS, password);
            X509Certificate certificate = (X509Certificate) keys.getCertificate(ALIAS);
            return new ServerTls(() -> SslContextBuilder.forServer(key, certificate), pem(certificate));
        } catch (SSLException failure) {
            throw failure;
        } catch (GeneralSecurityException failure) {
            throw new IOException("cannot read what keytool made", failure);
        }
    }

    private static String pem(X509Certificate certificate) throws GeneralSecurityException {
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
        return "-----BEGIN CERTIFICATE-----\n" + lines.encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }
}
