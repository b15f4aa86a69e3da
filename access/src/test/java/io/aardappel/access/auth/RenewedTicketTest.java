package io.aardappel.access.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.auth.AuthRpcProvider;
import tech.ydb.core.impl.auth.GrpcAuthRpc;

@DisplayName("A renewed ticket")
class RenewedTicketTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Gives numbered tickets, and before each what it was told to throw. */
    private static final class Scripted implements Issuer {
        final AtomicInteger asked = new AtomicInteger();
        private final Deque<IssueException> refusals = new ArrayDeque<>();
        private volatile Duration lifetime = HOUR;
        private volatile boolean sameAgain;
        private int given;

        synchronized Scripted refusing(IssueException refusal, int times) {
            for (int i = 0; i < times; i++) {
                refusals.add(refusal);
            }
            return this;
        }

        @Override
        public synchronized Issued issue(Duration within) throws IssueException {
            asked.incrementAndGet();
            IssueException refusal = refusals.poll();
            if (refusal != null) {
                throw refusal;
            }
            given = sameAgain ? given : given + 1;
            return new Issued("t" + given, lifetime);
        }
    }

    private static final IssueException AWAY = IssueException.passing("away", "wait");
    private static final IssueException WRONG = IssueException.lasting("wrong", "repair");

    private final Scripted issuer = new Scripted();
    private final RenewedTicket ticket = new RenewedTicket(
            "source",
            issuer,
            new RenewalPace(
                    Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMillis(50), HOUR));

    @AfterEach
    void close() {
        ticket.close();
    }

    @SuppressWarnings("unchecked") // any provider takes the RPC of the SDK, and this one does not look at it
    private String carried() {
        AuthRpcProvider<GrpcAuthRpc> provider = (AuthRpcProvider<GrpcAuthRpc>) ticket.provider();
        return provider.createAuthIdentity(null).getToken();
    }

    @Nested
    @DisplayName("that is not there yet")
    class First {
        @Test
        void mustBeObtained() {
            assertThatThrownBy(RenewedTicketTest.this::carried).isInstanceOf(IllegalStateException.class);
        }

        @Test
        void isAskedForOnce() throws Exception {
            ticket.obtain();
            ticket.obtain();
            assertThat(carried()).isEqualTo("t1");
            assertThat(issuer.asked).hasValue(1);
        }

        @Test
        void isAskedForAgainWhileThatMayHelp() throws Exception {
            issuer.refusing(AWAY, 3);
            ticket.obtain();
            assertThat(issuer.asked).hasValue(4);
        }

        @Test
        void isGivenUpInTime() {
            issuer.refusing(AWAY, 1_000);
            assertThatThrownBy(ticket::obtain).isSameAs(AWAY);
        }

        @Test
        void isGivenUpAtOnceWhenNothingWillHelp() {
            issuer.refusing(WRONG, 1);
            assertThatThrownBy(ticket::obtain).isSameAs(WRONG);
            assertThat(issuer.asked).hasValue(1);
        }

        @Test
        void isGivenUpWhenTheProcessStops() {
            ticket.close();
            assertThatThrownBy(ticket::obtain).hasMessage("stopping");
        }

        @Test
        void interruptsWhoWaitsForItWhenTheProcessStops() throws Exception {
            CountDownLatch asked = new CountDownLatch(1);
            RenewedTicket waiting = new RenewedTicket(
                    "source",
                    within -> {
                        asked.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException interrupted) {
                            throw AWAY;
                        }
                        throw WRONG;
                    },
                    RenewalPace.STANDARD);
            Thread stopper = new Thread(() -> {
                try {
                    asked.await();
                } catch (InterruptedException never) {
                    throw new IllegalStateException(never);
                }
                waiting.close();
            });
            stopper.start();
            assertThatThrownBy(waiting::obtain).isSameAs(AWAY);
            stopper.join();
        }
    }

    @Nested
    @DisplayName("in use")
    class InUse {
        @Test
        void isRenewedFromHalfOfItsLifeOn() throws Exception {
            issuer.lifetime = Duration.ofMillis(400);
            ticket.obtain();
            issuer.lifetime = HOUR;
            long began = System.nanoTime();
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> carried().equals("t2"));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(150));
        }

        @Test
        void isKeptWhileRenewalFailsWhateverTheReason() throws Exception {
            issuer.lifetime = Duration.ofMillis(2);
            ticket.obtain();
            issuer.lifetime = HOUR;
            issuer.refusing(WRONG, 5).refusing(AWAY, 5);
            String meanwhile = carried();
            await().atMost(LIMIT).until(() -> carried().equals("t2"));
            assertThat(meanwhile).isEqualTo("t1");
        }

        @Test
        void isAMistakeWhenItWasNeverTaken() throws Exception {
            ticket.obtain();
            assertThat(ticket.refused(ticket.generation())).isFalse();
        }

        @Test
        void isNoMistakeWhenItDiedBeforeItWasShown() throws Exception {
            issuer.lifetime = Duration.ofMillis(50);
            ticket.obtain();
            ticket.accepted(ticket.generation());
            issuer.lifetime = HOUR;
            await().atMost(LIMIT).until(() -> carried().equals("t2"));
            assertThat(ticket.refused(ticket.generation())).isTrue();
            await().atMost(LIMIT).until(() -> carried().equals("t3"));
        }

        @Test
        void isAMistakeWhenItCameInAnswerToARefusalAndIsRefusedInItsTurn() throws Exception {
            ticket.obtain();
            ticket.accepted(ticket.generation());
            assertThat(ticket.refused(ticket.generation())).isTrue();
            await().atMost(LIMIT).until(() -> carried().equals("t2"));
            assertThat(ticket.refused(ticket.generation())).isFalse();
        }

        @Test
        void countsAsTakenWhenTheAnswerToAnOlderOneComesLater() throws Exception {
            ticket.obtain();
            long first = ticket.generation();
            ticket.accepted(first);
            assertThat(ticket.refused(first)).isTrue();
            await().atMost(LIMIT).until(() -> carried().equals("t2"));
            ticket.accepted(first + 1);
            ticket.accepted(first);
            assertThat(ticket.refused(first + 1)).isTrue();
            await().atMost(LIMIT).until(() -> carried().equals("t3"));
        }

        @Test
        void isAskedForOnceMoreWhenItWasOnItsWayDuringTheRefusal() throws Exception {
            CountDownLatch asked = new CountDownLatch(2);
            CountDownLatch refused = new CountDownLatch(1);
            AtomicInteger given = new AtomicInteger();
            try (RenewedTicket waiting = new RenewedTicket(
                    "source",
                    within -> {
                        asked.countDown();
                        int number = given.incrementAndGet();
                        if (number == 2) {
                            await().atMost(LIMIT).until(() -> refused.getCount() == 0);
                        }
                        return new Issuer.Issued("t" + number, number == 1 ? Duration.ofMillis(2) : HOUR);
                    },
                    RenewalPace.STANDARD)) {
                waiting.obtain();
                waiting.accepted(1);
                asked.await();
                assertThat(waiting.refused(1)).isTrue();
                refused.countDown();
                await().atMost(LIMIT).until(() -> waiting.generation() == 3);
            }
        }

        @Test
        void isRenewedAtOnceWhenItIsTakenNoMore() throws Exception {
            ticket.obtain();
            long first = ticket.generation();
            ticket.accepted(first);
            assertThat(ticket.refused(first)).isTrue();
            await().atMost(LIMIT).until(() -> carried().equals("t2"));
        }

        @Test
        void isRenewedOnceForManyRefusals() throws Exception {
            ticket.obtain();
            long first = ticket.generation();
            ticket.accepted(first);
            for (int i = 0; i < 100; i++) {
                assertThat(ticket.refused(first)).isTrue();
            }
            await().atMost(LIMIT).until(() -> ticket.generation() > first);
            assertThat(ticket.refused(first)).isTrue();
            assertThat(issuer.asked).hasValue(2);
        }

        @Test
        void isNoOtherWhenItIsTheSame() throws Exception {
            issuer.lifetime = Duration.ofMillis(10);
            ticket.obtain();
            long first = ticket.generation();
            ticket.accepted(first);
            issuer.sameAgain = true;
            await().atMost(LIMIT).until(() -> issuer.asked.get() > 3);
            assertThat(ticket.generation()).isEqualTo(first);
            assertThat(ticket.refused(first))
                    .as("was taken, so it is no mistake")
                    .isTrue();
        }

        @Test
        void isAskedForAgainWhileTheSameIsGivenThatIsTakenNoMore() throws Exception {
            ticket.obtain();
            long first = ticket.generation();
            ticket.accepted(first);
            issuer.sameAgain = true;
            await().atMost(LIMIT).until(() -> ticket.refused(first) && issuer.asked.get() > 3);
            issuer.sameAgain = false;
            await().atMost(LIMIT).until(() -> ticket.refused(first) && carried().equals("t2"));
            assertThat(ticket.generation()).isEqualTo(first + 1);
        }

        @Test
        void printsNoSecret() throws Exception {
            ticket.obtain();
            assertThat(ticket.toString() + Ticket.fixed("t1") + new Issuer.Issued("t1", HOUR))
                    .doesNotContain("t1");
        }
    }
}
