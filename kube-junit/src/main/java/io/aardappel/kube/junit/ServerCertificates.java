package io.aardappel.kube.junit;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Keys and certificates of one server, made anew for it: an authority, what the server shows its clients, and the key that
 * signs service account tokens.
 *
 * @param authority PEM of the certificate that clients trust
 */
record ServerCertificates(String authority, Path certificate, Path key, Path serviceAccountKey) {
    private static final Duration VALID = Duration.ofDays(7);
    /** Clocks of containers and hosts differ a little. */
    private static final Duration EARLIER = Duration.ofHours(1);

    private static final List<String> NAMES = List.of(
            "localhost",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local");
    private static final List<String> ADDRESSES = List.of("127.0.0.1", "10.96.0.1");

    /** Writes what the server reads into a folder. */
    static ServerCertificates in(Path folder) {
        try {
            KeyPair authorityKeys = ellipticKeys();
            X500Name authorityName = new X500Name("CN=aardappel tests");
            X509CertificateHolder authority = sign(
                    builder(authorityName, authorityName, authorityKeys)
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(true)),
                    authorityKeys);
            KeyPair serverKeys = ellipticKeys();
            X509CertificateHolder server = sign(
                    builder(authorityName, new X500Name("CN=kube-apiserver"), serverKeys)
                            .addExtension(Extension.subjectAlternativeName, false, names()),
                    authorityKeys);
            return new ServerCertificates(
                    pem(authority),
                    write(folder.resolve("server.crt"), pem(server)),
                    write(folder.resolve("server.key"), pem(new JcaPKCS8Generator(serverKeys.getPrivate(), null))),
                    write(
                            folder.resolve("service-accounts.key"),
                            pem(new JcaPKCS8Generator(rsaKeys().getPrivate(), null))));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("this JVM cannot make keys and certificates", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write keys and certificates to " + folder, e);
        }
    }

    private static KeyPair ellipticKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** RS256 is what clusters sign tokens with. */
    private static KeyPair rsaKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2_048);
        return generator.generateKeyPair();
    }

    private static JcaX509v3CertificateBuilder builder(X500Name issuer, X500Name subject, KeyPair keys) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(120, new SecureRandom()),
                Date.from(now.minus(EARLIER)),
                Date.from(now.plus(VALID)),
                subject,
                keys.getPublic());
    }

    private static X509CertificateHolder sign(X509v3CertificateBuilder builder, KeyPair keys)
            throws OperatorCreationException {
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    }

    private static GeneralNames names() {
        return new GeneralNames(Stream.concat(
                        NAMES.stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        ADDRESSES.stream().map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toArray(GeneralName[]::new));
    }

    private static String pem(Object content) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(content);
        }
        return text.toString();
    }

    private static Path write(Path file, String content) throws IOException {
        return Files.writeString(file, content);
    }
}
