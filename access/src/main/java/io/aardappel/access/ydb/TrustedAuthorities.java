package io.aardappel.access.ydb;

import io.aardappel.access.auth.Content;
import io.aardappel.access.auth.IssueException;
import io.aardappel.access.failure.Cause;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate authorities that connections trust: those of the runtime and, as the Go program adds them, those in
 * PEM of a file or a Secret. They are read anew for every connection that is made, so that they may be replaced while
 * the process runs; what cannot be read leaves the last ones in force. The log tells of each certificate that is
 * refused, because gRPC says no more than that there was a problem. Thread-safe.
 */
public final class TrustedAuthorities extends X509ExtendedTrustManager {
    private static final Logger LOG = LoggerFactory.getLogger(TrustedAuthorities.class);

    /** What was read last, and what follows from it. */
    private record Read(byte[] pem, X509ExtendedTrustManager trust) {}

    /**
     * How people are told where the authorities are.
     *
     * @param whole in the log
     * @param brief beside those of the runtime
     * @param place where others are to be written
     */
    private record Words(String whole, String brief, String place) {}

    private final Content content;
    private final Words words;
    private volatile Read read;
    private volatile String trouble = "";
    private volatile String refusal = "";

    private TrustedAuthorities(Content content, Words words, Read read) {
        this.content = content;
        this.words = words;
        this.read = read;
    }

    /**
     * Those of a file.
     *
     * @throws IOException naming the file, when it cannot be read or holds no certificates
     */
    public static TrustedAuthorities in(Path file) throws IOException {
        String whole = "the certificate file " + file;
        try {
            return in(
                    Content.file("certificates", file, "certificate file"),
                    new Words(whole, "the file " + file, "the file"));
        } catch (IssueException unreadable) {
            throw new IOException(whole + " cannot be read", unreadable);
        }
    }

    /**
     * Those of something else that holds them.
     *
     * @throws IOException naming it, when it holds no certificates
     * @throws IssueException naming it, when it cannot be read
     */
    public static TrustedAuthorities in(Content content) throws IOException, IssueException {
        return in(content, new Words(content.name(), content.name(), "it"));
    }

    private static TrustedAuthorities in(Content content, Words words) throws IOException, IssueException {
        byte[] pem = content.bytes();
        try {
            return new TrustedAuthorities(content, words, new Read(pem, trust(pem)));
        } catch (GeneralSecurityException malformed) {
            throw new IOException(words.whole() + " holds no certificates in PEM", malformed);
        }
    }

    /** For connections that are not the SDK's. */
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            return context;
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("the runtime cannot set up TLS", broken);
        }
    }

    private X509ExtendedTrustManager current() {
        Read last = read;
        try {
            byte[] pem = content.bytes();
            if (!Arrays.equals(pem, last.pem())) {
                last = new Read(pem, trust(pem));
                read = last;
                LOG.info("{} has changed; its authorities are trusted from now on", words.whole());
            }
            trouble = "";
        } catch (IssueException unreadable) {
            tell(unreadable.what());
        } catch (GeneralSecurityException malformed) {
            tell(Cause.kind(malformed));
        }
        return last.trust();
    }

    private void tell(String what) {
        if (!what.equals(trouble)) {
            trouble = what;
            LOG.warn(
                    "{} cannot be used any more ({}); the authorities that it held are trusted on",
                    words.whole(),
                    what);
        }
    }

    /** One of the ways to ask whether a server is trusted. */
    private interface Question {
        void put(X509ExtendedTrustManager trust) throws CertificateException;
    }

    private void ask(X509Certificate[] chain, Question question) throws CertificateException {
        try {
            question.put(current());
            refusal = "";
        } catch (CertificateException refused) {
            tell(chain, words(refused));
            throw refused;
        }
    }

    /** What is wrong with a certificate, without the names of classes that the runtime puts between its words. */
    static String words(Exception refused) {
        return String.valueOf(refused.getMessage()).replaceAll("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*: ", "");
    }

    /** Once, until another reason comes up or a certificate is accepted. */
    private void tell(X509Certificate[] chain, String why) {
        String whose = chain.length == 0
                ? "no certificate"
                : chain[0].getSubjectX500Principal() + ", valid until "
                        + chain[0].getNotAfter().toInstant();
        String what = whose + ": " + why;
        if (!what.equals(refusal)) {
            refusal = what;
            LOG.warn("the certificate of a server {}", refusal(why));
        }
    }

    /**
     * That a server's certificate is not accepted, by which authorities, and what to do: what follows behind its name.
     *
     * @param why told where the refused certificate is not known any more, because another was accepted since
     */
    String refusal(String why) {
        String last = refusal;
        return "is not accepted by the authorities of the runtime and of " + words.brief() + " ("
                + (last.isEmpty() ? why : last)
                + "); write its authority into " + words.place()
                + ", which is read anew at every attempt, or connect by the host that it"
                + " is for";
    }

    private static X509ExtendedTrustManager trust(byte[] pem) throws GeneralSecurityException {
        Collection<? extends Certificate> given =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
        if (given.isEmpty()) {
            throw new CertificateException("no certificate");
        }
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate authority : given) {
                store.setCertificateEntry("given-" + number++, authority);
            }
            for (X509Certificate authority : manager(null).getAcceptedIssuers()) {
                store.setCertificateEntry("runtime-" + number++, authority);
            }
            return manager(store);
        } catch (IOException impossible) {
            throw new IllegalStateException("an empty store cannot be made", impossible);
        }
    }

    /** Null means those of the runtime. */
    private static X509ExtendedTrustManager manager(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager x509) {
                return x509;
            }
        }
        throw new GeneralSecurityException("the runtime checks no X.509 certificates");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        ask(chain, trust -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        ask(chain, trust -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        ask(chain, trust -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        read.trust().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        read.trust().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        read.trust().checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return read.trust().getAcceptedIssuers();
    }
}
