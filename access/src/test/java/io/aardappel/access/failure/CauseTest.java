package io.aardappel.access.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The words for what was thrown")
class CauseTest {
    private static final String CLASS_NAME = "\\b[a-z]\\w*\\.[a-z]\\w*\\.(?:\\w+\\.)*[A-Z]\\w+";

    static Stream<Throwable> thrown() {
        Throwable[] bare = {
            new TimeoutException(),
            new ConnectException(),
            new UnknownHostException(),
            new UnresolvedAddressException(),
            new NoRouteToHostException(),
            new SocketException(),
            new SocketException("Connection reset"),
            new SocketTimeoutException("Read timed out"),
            new HttpTimeoutException("request timed out"),
            new HttpConnectTimeoutException("HTTP connect timed out"),
            new ClosedChannelException(),
            new EOFException(),
            new IOException(),
            new IOException("HTTP/1.1 header parser received no bytes"),
            new NoSuchFileException("/var/run/x"),
            new AccessDeniedException("/var/run/x"),
            new MalformedInputException(1),
            new SSLHandshakeException("Remote host terminated the handshake"),
            new SSLHandshakeException(null),
            new GeneralSecurityException(),
            new CertificateException("sun.security.provider.certpath.SunCertPathBuilderException: no path"),
            new InterruptedException(),
            new CancellationException(),
            new RejectedExecutionException(
                    "Task java.util.concurrent.FutureTask@1f[Not completed] rejected from java.util.concurrent.ThreadPoolExecutor@3a"),
            new NullPointerException(),
            new NullPointerException("Cannot invoke \"java.lang.String.length()\" because \"<local1>\" is null"),
            new IllegalStateException(),
            new IllegalArgumentException("Invalid quantity string format: lots"),
            new ClassCastException("class java.lang.String cannot be cast to class java.lang.Integer"),
            new UnsupportedOperationException(),
            new ArrayIndexOutOfBoundsException("Index 3 out of bounds for length 2"),
            new NoSuchElementException("No value present"),
            new ConcurrentModificationException(),
            new StackOverflowError(),
            new OutOfMemoryError("Java heap space"),
            new NoClassDefFoundError("io/grpc/Channel"),
            new RuntimeException(),
            new Exception(),
            new Error(),
            new RuntimeException("io.grpc.StatusRuntimeException: UNAVAILABLE: io exception"),
            new RuntimeException("javax.net.ssl.SSLHandshakeException"),
            new RuntimeException("tech.ydb.core.UnexpectedResultException: cannot build result"),
        };
        return Stream.of(bare)
                .flatMap(one -> Stream.of(
                        one,
                        new ExecutionException(one),
                        new CompletionException(new RuntimeException(one)),
                        new UncheckedIOException(new IOException(one)),
                        new IllegalStateException("it failed: " + one, one)));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void nameNoClass(Throwable thrown) {
        assertThat(Cause.of(thrown))
                .isNotBlank()
                .doesNotContain("Exception")
                .doesNotContain("Error")
                .doesNotContainPattern(CLASS_NAME)
                .isNotEqualTo("null");
    }

    @Test
    void tellWhatLiesAtTheGround() {
        assertThat(Cause.of(new CompletionException(new TimeoutException()))).isEqualTo("it did not answer in time");
        ConnectException nameless = new ConnectException();
        nameless.initCause(new UnresolvedAddressException());
        assertThat(Cause.of(new IOException("x", nameless))).isEqualTo("no address is known for this name");
        assertThat(Cause.of(new ExecutionException(new ConnectException()))).isEqualTo("connection refused");
        assertThat(Cause.of(new RuntimeException("outer", new IOException("Connection reset"))))
                .isEqualTo("Connection reset");
        assertThat(Cause.of(new UnsupportedOperationException())).isEqualTo("unsupported operation");
        RuntimeException circle = new RuntimeException("one");
        circle.initCause(new RuntimeException("two", circle));
        assertThat(Cause.of(circle)).isIn("one", "two");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "goods.example.org: no answer | goods.example.org: no answer",
                "grpc://db.example:2136/Root/Shop/Error is closed | grpc://db.example:2136/Root/Shop/Error is closed",
                "java.util.concurrent.TimeoutException | no answer in time",
                "SSLHandshakeException: bad certificate | ssl handshake: bad certificate",
                "UNAVAILABLE: io.grpc.StatusRuntimeException: gone | UNAVAILABLE: status runtime: gone",
                "class java.lang.String is none | class string is none",
                "Error: the table is full | Error: the table is full",
            })
    void keepWhatIsNoClass(String text, String plain) {
        assertThat(Cause.plain(text)).isEqualTo(plain);
    }
}
