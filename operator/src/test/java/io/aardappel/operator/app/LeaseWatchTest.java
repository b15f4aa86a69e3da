package io.aardappel.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.operator.act.LeaseLostException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The lease of the operator")
class LeaseWatchTest {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong(-5);
    private final LeaseWatch watch = new LeaseWatch("lease", DEADLINE, now::get);

    @AfterEach
    void close() {
        watch.close();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void renew() {
        UUID request = UUID.randomUUID();
        watch.sent(request);
        watch.answered(request, 200);
    }

    private void expectOpen() {
        assertThatCode(watch::check).doesNotThrowAnyException();
    }

    private void expectShut() {
        assertThatThrownBy(watch::check).isInstanceOf(LeaseLostException.class).hasMessageContaining("lease");
    }

    @Test
    @DisplayName("lets nobody write who never had it")
    void isNotHeldAtFirst() {
        expectShut();
        UUID refused = UUID.randomUUID();
        watch.sent(refused);
        watch.answered(refused, 409);
        watch.answered(UUID.randomUUID(), 200);
        expectShut();
        renew();
        expectOpen();
    }

    @Test
    @DisplayName("counts from when its renewal was sent, not from when it was answered")
    void countsFromTheSending() {
        renew();
        pass(Duration.ofSeconds(8));
        UUID slow = UUID.randomUUID();
        watch.sent(slow);
        pass(Duration.ofSeconds(1));
        watch.sent(slow); // a second try of the same request
        watch.answered(slow, 200);
        pass(Duration.ofSeconds(9));
        expectOpen();
        pass(Duration.ofMillis(1));
        expectShut();
    }

    @Test
    @DisplayName("is never had again by one who lost it")
    void staysLost() {
        renew();
        pass(DEADLINE.plusMillis(1));
        expectShut();
        renew();
        expectShut();
    }

    @Test
    @DisplayName("is lost when the election says so")
    void isLostByTheElection() {
        renew();
        watch.lose();
        expectShut();
    }

    @Test
    @DisplayName("is told to be lost while nobody asks")
    void isTold() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        try (LeaseWatch brief = new LeaseWatch("lease", Duration.ofMillis(200), now::get)) {
            brief.whenLost(told::countDown);
            UUID request = UUID.randomUUID();
            brief.sent(request);
            brief.answered(request, 201);
            pass(Duration.ofMillis(201));
            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /apis/coordination.k8s.io/v1/namespaces/ns/leases, true",
        "PUT, /apis/coordination.k8s.io/v1/namespaces/ns/leases/lease, true",
        "PATCH, /base/apis/coordination.k8s.io/v1/namespaces/ns/leases/lease, true",
        "GET, /apis/coordination.k8s.io/v1/namespaces/ns/leases/lease, false",
        "PATCH, /apis/coordination.k8s.io/v1/namespaces/ns/leases/other, false",
        "PATCH, /apis/apps/v1/namespaces/ns/deployments/lease, false",
    })
    @DisplayName("is renewed by writes of it alone")
    void isRenewedByWrites(String method, String path, boolean renews) {
        assertThat(watch.isWrite(method, path)).isEqualTo(renews);
    }
}
