package io.aardappel.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.crds.api.Stream;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The plan")
class PlannerTest {
    private static Condition condition(Plan plan, ConditionType type) {
        return StatusText.previous(plan.status(), type).orElseThrow();
    }

    private static void expect(Plan plan, ConditionType type, String status, Reason reason) {
        assertThat(condition(plan, type)).satisfies(one -> {
            assertThat(one.getStatus()).as(type.word()).isEqualTo(status);
            assertThat(one.getReason()).as(type.word()).isEqualTo(reason.word());
            assertThat(one.getObservedGeneration()).isEqualTo(3);
        });
    }

    private static void expectReady(Plan plan, String status, Reason reason) {
        expect(plan, ConditionType.READY, status, reason);
    }

    private static void expectStalled(Plan plan) {
        assertThat(condition(plan, ConditionType.STALLED).getStatus()).isEqualTo("True");
        assertThat(condition(plan, ConditionType.RECONCILING).getStatus()).isEqualTo("False");
    }

    private static <A extends Action> List<A> actions(Plan plan, Class<A> kind) {
        return plan.actions().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Nested
    @DisplayName("for a resource that replicates")
    class Replicating {
        private final Sight sight = new Sight();
        private final Plan plan = sight.plan();

        @Test
        void isReady() {
            expectReady(plan, "True", Reason.REPLICATING);
            expect(plan, ConditionType.RECONCILING, "False", Reason.REPLICATING);
            expect(plan, ConditionType.STALLED, "False", Reason.REPLICATING);
            expect(plan, ConditionType.CONFIGURED, "True", Reason.APPLIED);
            expect(plan, ConditionType.LOCK_HELD, "True", Reason.HELD);
            expect(plan, ConditionType.SUSPENDED, "False", Reason.NOT_SUSPENDED);
        }

        @Test
        void tellsHowItIs() {
            ReplicationStatus status = plan.status();
            assertThat(status.state()).isEqualTo("Running");
            assertThat(status.stage()).isEqualTo("RUN");
            assertThat(status.lag()).isEqualTo("3s");
            assertThat(status.activePod()).isEqualTo(Sight.ACTIVE);
            assertThat(status.checkpoint().txId()).isEqualTo("7");
            assertThat(status.checkpoint().time()).isEqualTo("2026-03-04T05:06:04Z");
            assertThat(status.streams().summary()).isEqualTo("2/2");
            assertThat(status.replicas()).isEqualTo(2);
            assertThat(status.readyReplicas()).isEqualTo(2);
            assertThat(status.observedGeneration()).isEqualTo(3);
        }

        @Test
        void keepsTheObjectsAsTheyAre() {
            assertThat(actions(plan, Action.Apply.class)).singleElement().satisfies(apply -> {
                assertThat(apply.pods()).isEqualTo(2);
                assertThat(apply.togetherHash()).isEqualTo(sight.hash());
            });
        }

        @Test
        void saysNothingNewAgain() {
            Plan again = sight.status(plan.status()).plan();
            assertThat(actions(again, Action.Tell.class)).isEmpty();
            assertThat(again.status()).isEqualTo(plan.status());
        }

        @Test
        void marksThePodThatHoldsTheLock() {
            Plan marking = sight.pods(Sight.pod(Sight.ACTIVE, true, false), Sight.pod(Sight.STANDBY, true, true))
                    .plan();
            assertThat(marking.actions()).contains(new Action.MarkActive(Sight.ACTIVE));
            assertThat(actions(plan, Action.MarkActive.class)).isEmpty();
        }
    }

    @Nested
    @DisplayName("about what Secrets hold")
    class Secrets {
        private final Sight sight = new Sight().secretsHash("0a1b");

        private static Observed.PodSeen pod(String name, String noted) {
            return new Observed.PodSeen(
                    name, true, name.equals(Sight.ACTIVE), Optional.empty(), noted, Optional.empty());
        }

        @Test
        void notesItAtThePodsWhereItIsNotNoted() {
            Plan plan = sight.pods(pod(Sight.ACTIVE, "0a1b"), pod(Sight.STANDBY, ""))
                    .plan();
            assertThat(actions(plan, Action.NoteSecrets.class)).containsExactly(new Action.NoteSecrets("0a1b"));
        }

        @Test
        void leavesPodsAloneThatHaveItNoted() {
            Plan plan = sight.pods(pod(Sight.ACTIVE, "0a1b"), pod(Sight.STANDBY, "0a1b"))
                    .plan();
            assertThat(actions(plan, Action.NoteSecrets.class)).isEmpty();
        }

        @Test
        void leavesWhatIsNotedWhileTheyAreNotKnown() {
            Plan plan = sight.secretsHash("")
                    .pods(pod(Sight.ACTIVE, "0a1b"), pod(Sight.STANDBY, "0a1b"))
                    .plan();
            assertThat(actions(plan, Action.NoteSecrets.class)).isEmpty();
        }

        @Test
        void changesNothingElseForIt() {
            Plan before = new Sight().plan();
            Plan plan = sight.plan();
            assertThat(actions(plan, Action.Apply.class)).isEqualTo(actions(before, Action.Apply.class));
            assertThat(plan.status()).isEqualTo(before.status());
        }

        @Test
        void keepsWhatRunsAndSaysSoWhileOneIsMissing() {
            Plan plan = sight.secretsHash("").obstacle(Reason.SECRET_NOT_FOUND).plan();
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
            expectReady(plan, "False", Reason.SECRET_NOT_FOUND);
            expectStalled(plan);
            expect(plan, ConditionType.CONFIGURED, "False", Reason.SECRET_NOT_FOUND);
        }
    }

    @Nested
    @DisplayName("for a new resource")
    class Fresh {
        @Test
        void makesItsObjects() {
            Plan plan = Sight.fresh().plan();
            assertThat(actions(plan, Action.Apply.class)).hasSize(1);
            expectReady(plan, "False", Reason.ROLLING_OUT);
            expect(plan, ConditionType.RECONCILING, "True", Reason.ROLLING_OUT);
        }

        @Test
        void asksTheStateTableFirst() {
            Plan plan = Sight.fresh().state(new StateSeen.NotAsked()).plan();
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            expectReady(plan, "Unknown", Reason.NOT_READ);
        }

        @ParameterizedTest
        @EnumSource(names = {"REFUSED_BY_API_SERVER", "RECONCILIATION_FAILED"})
        @DisplayName("keeps the cause in the status while a new operator asks the state table first")
        void keepsTheCause(Reason cause) {
            Plan before = Sight.fresh().obstacle(cause).plan();
            Plan plan = Sight.fresh()
                    .state(new StateSeen.NotAsked())
                    .status(before.status())
                    .plan();
            assertThat(actions(plan, Action.class)).isEmpty();
            expectReady(plan, "False", cause);
            expect(plan, ConditionType.CONFIGURED, "False", cause);
        }

        @Test
        @DisplayName("forgets the cause of a spec that was changed since")
        void forgetsTheCauseOfAnotherSpec() {
            Sight old = Sight.fresh().obstacle(Reason.REFUSED_BY_API_SERVER);
            old.resource.getMetadata().setGeneration(2L);
            Sight sight = Sight.fresh()
                    .state(new StateSeen.NotAsked())
                    .status(old.plan().status());
            expectReady(sight.plan(), "Unknown", Reason.NOT_READ);
        }

        @Test
        void doesNotWaitForADatabaseThatIsAway() {
            Plan plan =
                    Sight.fresh().state(new StateSeen.Unreachable("no route")).plan();
            assertThat(actions(plan, Action.Apply.class)).hasSize(1);
            expectReady(plan, "False", Reason.UNREACHABLE);
            expect(plan, ConditionType.DESTINATION_REACHABLE, "False", Reason.UNREACHABLE);
        }

        @Test
        @DisplayName("says that only a person can help where the destination has no such database")
        void namesADatabaseThatIsNone() {
            Plan plan = Sight.fresh()
                    .state(new StateSeen.Unreachable("NOT_FOUND: Unknown database: /Root/copi", true))
                    .plan();
            expectReady(plan, "False", Reason.DATABASE_NOT_FOUND);
            expect(plan, ConditionType.STALLED, "True", Reason.DATABASE_NOT_FOUND);
            assertThat(plan.status().conditions())
                    .anySatisfy(one -> assertThat(one.getMessage())
                            .contains("/Root/copi", "Correct", "spec.destination.connectionString"));
        }

        @Test
        @DisplayName("says that only a person can help where no pod has an image, and waits where one goes on")
        void namesAnImageThatIsNone() {
            Observed.PodSeen without = new Observed.PodSeen(
                    Sight.STANDBY, false, false, Optional.of("InvalidImageName: no"), "", Optional.empty(), true);
            Plan all = new Sight().pods(without).plan();
            expectReady(all, "False", Reason.IMAGE_NOT_PULLED);
            expect(all, ConditionType.STALLED, "True", Reason.IMAGE_NOT_PULLED);
            assertThat(all.status().conditions())
                    .anySatisfy(one -> assertThat(one.getMessage()).contains("InvalidImageName: no", "spec.image"));
            Plan one = new Sight()
                    .pods(Sight.pod(Sight.ACTIVE, true, true), without)
                    .plan();
            expectReady(one, "True", Reason.REPLICATING);
        }

        @Test
        void takesOverWhatTheGoProgramLeft() {
            Sight sight = Sight.fresh();
            Plan plan = sight.state(Sight.row("", Stage.RUN, false, Optional.empty(), List.of()))
                    .plan();
            assertThat(actions(plan, Action.Apply.class))
                    .singleElement()
                    .satisfies(apply -> assertThat(apply.streams()).hasSize(2));
        }

        @Test
        void standsByBesideAProgramThatRuns() {
            Sight sight = new Sight();
            Plan plan = sight.state(sight.row("oldhost", Stage.RUN, false)).plan();
            expectReady(plan, "False", Reason.FOREIGN_HOLDER);
            expectStalled(plan);
            assertThat(condition(plan, ConditionType.READY).getMessage()).contains("lock_oldhost_0b1c");
            assertThat(actions(plan, Action.Apply.class)).hasSize(1);
        }
    }

    @Nested
    @DisplayName("while it does not replicate")
    class NotReplicating {
        private final Sight sight = new Sight();

        @Test
        void waitsForTheLockOfAPodThatIsGone() {
            expectReady(
                    sight.state(sight.row(Sight.PREFIX + "6f-zzzzz", Stage.RUN, false))
                            .plan(),
                    "False",
                    Reason.TAKEOVER_PENDING);
        }

        @Test
        void saysThatNobodyHoldsTheLock() {
            expectReady(sight.state(sight.row("", Stage.RUN, false)).plan(), "False", Reason.NO_HOLDER);
        }

        @Test
        void saysWhyAPodDoesNotRun() {
            Plan plan = sight.state(sight.row("", Stage.RUN, false))
                    .pods(new Observed.PodSeen(
                            Sight.ACTIVE,
                            false,
                            false,
                            Optional.of("ImagePullBackOff: no such image"),
                            "",
                            Optional.empty()))
                    .plan();
            expectReady(plan, "False", Reason.STARTING);
            assertThat(condition(plan, ConditionType.READY).getMessage())
                    .contains(Sight.ACTIVE, "ImagePullBackOff: no such image");
        }

        @Test
        void saysThatTheHolderIsNotReady() {
            expectReady(sight.pods(Sight.pod(Sight.ACTIVE, false, true)).plan(), "False", Reason.HOLDER_NOT_READY);
        }

        @Test
        void saysThatRowsAreStillScanned() {
            Plan plan = sight.state(sight.row(Sight.ACTIVE, Stage.INITIAL_SCAN, false))
                    .plan();
            expectReady(plan, "False", Reason.INITIAL_SCAN);
            assertThat(plan.status().lag()).as("there is no snapshot yet").isNull();
        }

        @Test
        void noticesAStandstillWithinThreeHeartbeatIntervals() {
            Plan moving = sight.state(standing(Duration.ofSeconds(30))).plan();
            Plan standing = sight.state(standing(Duration.ofSeconds(31))).plan();
            expectReady(moving, "True", Reason.REPLICATING);
            expectReady(standing, "False", Reason.NOT_PROGRESSING);
            expect(standing, ConditionType.PROGRESSING, "False", Reason.NOT_PROGRESSING);
        }

        @Test
        void isNotReadyBeforeTheCheckpointWasSeenToMove() {
            Plan plan = sight.state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.empty(), sight.members()))
                    .plan();
            expectReady(plan, "Unknown", Reason.NOT_MEASURED);
        }

        private StateSeen.Row standing(Duration since) {
            return Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minus(since)), sight.members());
        }

        @Test
        void keepsWhatWasKnownWhenTheDestinationIsAway() {
            Plan before = sight.plan();
            Plan plan = sight.status(before.status())
                    .state(new StateSeen.Unreachable("no route"))
                    .plan();
            assertThat(plan.status().checkpoint()).isEqualTo(before.status().checkpoint());
            assertThat(plan.status().streams()).isEqualTo(before.status().streams());
            assertThat(plan.status().lag()).as("a lag that is not measured").isNull();
            expect(plan, ConditionType.LOCK_HELD, "Unknown", Reason.UNREACHABLE);
            expect(plan, ConditionType.PROGRESSING, "Unknown", Reason.UNREACHABLE);
            expect(plan, ConditionType.STREAMS_ACCEPTED, "Unknown", Reason.UNREACHABLE);
            assertThat(plan.status().conditions())
                    .extracting(Condition::getMessage)
                    .noneMatch(message -> message.contains("not read"));
        }

        @Test
        void saysNothingOfATableThatCannotBeReadWhereThereIsNoRowYet() {
            Plan plan = sight.state(new StateSeen.Absent()).plan();
            expect(plan, ConditionType.DESTINATION_REACHABLE, "True", Reason.READ);
            expect(plan, ConditionType.PROGRESSING, "Unknown", Reason.NOT_MEASURED);
            expect(plan, ConditionType.LOCK_HELD, "False", Reason.STARTING);
        }
    }

    @Nested
    @DisplayName("for pods that end")
    class Crashing {
        private static final String WORDS = "ended with code 4: TLS handshake failed";

        private final Sight sight = new Sight();

        private static Observed.PodSeen pod(String name, boolean ready, int times) {
            return new Observed.PodSeen(
                    name,
                    ready,
                    false,
                    Optional.of("CrashLoopBackOff"),
                    "",
                    Optional.of(new Observed.Crash(times, WORDS)));
        }

        private Plan plan(StateSeen state, Observed.PodSeen... pods) {
            return sight.state(state).pods(pods).plan();
        }

        private StateSeen free() {
            return Sight.row("", Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(600)), sight.members());
        }

        @Test
        void waitsForAPersonOnceAllHaveEndedForAsLongAsTheyAreTried() {
            for (StateSeen state : List.of(free(), new StateSeen.Absent())) {
                Plan plan = plan(state, pod(Sight.ACTIVE, false, 5), pod(Sight.STANDBY, false, 7));
                expectReady(plan, "False", Reason.CRASH_LOOP);
                expectStalled(plan);
                assertThat(condition(plan, ConditionType.STALLED).getMessage())
                        .contains(Sight.ACTIVE, "5 times", WORDS);
                assertThat(actions(plan, Action.Tell.class)).singleElement().satisfies(tell -> {
                    assertThat(tell.warning()).isTrue();
                    assertThat(tell.note()).contains(WORDS);
                });
                assertThat(actions(plan, Action.Apply.class)).hasSize(1);
            }
        }

        @Test
        void waitsForThemBefore() {
            Plan plan = plan(free(), pod(Sight.ACTIVE, false, 4), pod(Sight.STANDBY, false, 9));
            expectReady(plan, "False", Reason.STARTING);
            expect(plan, ConditionType.STALLED, "False", Reason.STARTING);
        }

        @Test
        void waitsForNobodyWhileOneIsWell() {
            Plan plan = plan(
                    sight.row(Sight.ACTIVE, Stage.RUN, false),
                    Sight.pod(Sight.ACTIVE, true, true),
                    pod(Sight.STANDBY, false, 20));
            expectReady(plan, "True", Reason.REPLICATING);
        }

        @Test
        void takesNoneForEndingThatHasRecovered() {
            Plan plan = plan(free(), pod(Sight.ACTIVE, true, 12), pod(Sight.STANDBY, true, 12));
            expectReady(plan, "False", Reason.NO_HOLDER);
        }

        @Test
        void saysThatARollOutStandsStill() {
            Plan plan = sight.workload(Sight.workload(2, sight.hash(), false))
                    .pods(Sight.pod(Sight.ACTIVE, true, true), pod(Sight.STANDBY, false, 5))
                    .plan();
            expect(plan, ConditionType.CONFIGURED, "False", Reason.CRASH_LOOP);
            assertThat(condition(plan, ConditionType.CONFIGURED).getMessage()).contains(Sight.STANDBY, WORDS);
            expectStalled(plan);
        }

        @Test
        void promisesNothingOfTheOthersWhileTheyDoNotGoOn() {
            List<StateSeen.StreamSeen> members = List.of(Sight.stream("goods/feed", Membership.MEMBER));
            Plan down = plan(
                    Sight.row("", Stage.RUN, false, Optional.empty(), members),
                    pod(Sight.ACTIVE, false, 5),
                    pod(Sight.STANDBY, false, 5));
            Plan well = plan(
                    Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW), members),
                    Sight.pod(Sight.ACTIVE, true, true));
            assertThat(condition(down, ConditionType.STREAMS_ACCEPTED).getMessage())
                    .doesNotContain("go on");
            assertThat(condition(well, ConditionType.STREAMS_ACCEPTED).getMessage())
                    .contains("The others go on");
        }
    }

    @Nested
    @DisplayName("for a resource that is suspended, whose pods are gone,")
    class AtAStandstill {
        private final Sight sight = new Sight().noPods().spec("suspend: true");

        @Test
        void saysSoInEveryConditionThatPodsWouldTellOf() {
            for (String owner : List.of("", "shop-replicator-6f-gone")) {
                Plan plan = sight.state(Sight.row(
                                owner, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(600)), sight.members()))
                        .plan();
                expect(plan, ConditionType.SUSPENDED, "True", Reason.SUSPENDED);
                expect(plan, ConditionType.PROGRESSING, "False", Reason.SUSPENDED);
                expect(plan, ConditionType.LOCK_HELD, "False", Reason.SUSPENDED);
                expect(plan, ConditionType.SOURCE_REACHABLE, "Unknown", Reason.SUSPENDED);
                expect(plan, ConditionType.ALIGNED, "Unknown", Reason.SUSPENDED);
                assertThat(plan.status().lag()).isNull();
                assertThat(plan.status().checkpoint()).isNotNull();
            }
        }

        @Test
        void saysThatItAsksForNoPodsWhereItDoes() {
            Plan plan = sight.spec("suspend: false\nreplicas: 0")
                    .state(Sight.row("", Stage.RUN, false, Optional.empty(), sight.members()))
                    .plan();
            expect(plan, ConditionType.PROGRESSING, "False", Reason.SCALED_TO_ZERO);
            expect(plan, ConditionType.LOCK_HELD, "False", Reason.SCALED_TO_ZERO);
            expect(plan, ConditionType.SUSPENDED, "True", Reason.SCALED_TO_ZERO);
            expect(
                    sight.pods(Sight.pod(Sight.ACTIVE, true, true)).plan(),
                    ConditionType.SUSPENDED,
                    "False",
                    Reason.SCALED_TO_ZERO);
        }

        @Test
        void stillTellsOfAnotherProgramThatHoldsTheLock() {
            Plan plan = sight.state(Sight.row("elsewhere", Stage.RUN, false, Optional.empty(), sight.members()))
                    .plan();
            expect(plan, ConditionType.LOCK_HELD, "False", Reason.FOREIGN_HOLDER);
        }
    }

    @Nested
    @DisplayName("about a change in the destination that could not be made")
    class FailedChange {
        private final Sight sight = new Sight()
                .state(new Sight().row(Sight.ACTIVE, Stage.RUN, true))
                .annotated(Commands.RESUME, "r1")
                .obstacle(Reason.DESTINATION_CHANGE_FAILED);

        @Test
        void saysSoAndAnswersNothing() {
            Plan plan = sight.plan();
            expect(plan, ConditionType.CONFIGURED, "False", Reason.DESTINATION_CHANGE_FAILED);
            assertThat(plan.status().resumed()).isNull();
            assertThat(actions(plan, Action.ClearFatal.class)).isEmpty();
            assertThat(actions(plan, Action.Tell.class))
                    .contains(new Action.Tell(true, Reason.DESTINATION_CHANGE_FAILED, "because"));
        }

        @Test
        void tellsItOnce() {
            Plan again = sight.status(sight.plan().status()).plan();
            assertThat(actions(again, Action.Tell.class)).isEmpty();
        }

        @Test
        void saysSoOfADeletionToo() {
            Plan plan = new Sight()
                    .spec("deletionPolicy: Delete")
                    .held()
                    .deletedFor(Duration.ofSeconds(5))
                    .noPods()
                    .workload(Sight.workload(0, "", true))
                    .obstacle(Reason.DESTINATION_CHANGE_FAILED)
                    .plan();
            assertThat(condition(plan, ConditionType.READY).getMessage()).contains("because");
            assertThat(actions(plan, Action.Tell.class))
                    .contains(new Action.Tell(true, Reason.DESTINATION_CHANGE_FAILED, "because"));
        }
    }

    @Nested
    @DisplayName("about annotations under our prefix")
    class Annotations {
        private final Sight sight = new Sight();

        private void expectUnknown(Plan plan, String... texts) {
            expect(plan, ConditionType.COMMANDS_UNDERSTOOD, "False", Reason.UNKNOWN_ANNOTATION);
            assertThat(condition(plan, ConditionType.COMMANDS_UNDERSTOOD).getMessage())
                    .contains(texts);
            expectReady(plan, "True", Reason.REPLICATING);
            assertThat(actions(plan, Action.Tell.class))
                    .filteredOn(tell -> tell.reason() == Reason.UNKNOWN_ANNOTATION)
                    .singleElement()
                    .satisfies(tell -> assertThat(tell.warning()).isTrue());
            Plan again = sight.status(plan.status()).plan();
            assertThat(actions(again, Action.Tell.class)).isEmpty();
        }

        @Test
        void areUnderstood() {
            Plan plan = sight.served()
                    .annotated(Commands.RESUME, "r1")
                    .annotated(Commands.REMOVE_STREAMS, "orders/feed:copy")
                    .annotated("example.org/resum", "1")
                    .plan();
            expect(plan, ConditionType.COMMANDS_UNDERSTOOD, "True", Reason.UNDERSTOOD);
        }

        @Test
        void areNamedWhereNobodyHeedsThem() {
            expectUnknown(
                    sight.annotated("aardappel.ydb.tech/resum", "1").plan(),
                    "aardappel.ydb.tech/resum is unknown",
                    Commands.RESUME);
        }

        @Test
        void areNamedWhereTheyNameNoStream() {
            expectUnknown(
                    sight.served()
                            .annotated(Commands.REMOVE_STREAMS, "orders/feed:copy,order/feed:copy")
                            .plan(),
                    "remove-streams: order/feed:copy is no stream");
        }

        @Test
        void areNotHeededWhereTheirValueIsTooLongForTheStatus() {
            Plan plan = sight.annotated(Commands.RESUME, "r".repeat(254)).plan();
            assertThat(plan.status().resumed()).isNull();
            expectUnknown(plan, "more than 253 characters");
        }
    }

    @Nested
    @DisplayName("after a FATAL_ERROR")
    class Fatal {
        private final Sight sight = new Sight();

        private Sight fatal() {
            return sight.state(sight.row(Sight.ACTIVE, Stage.RUN, true));
        }

        @Test
        void stopsAllPodsInsteadOfStartingThemAgainAndAgain() {
            Plan plan = fatal().plan();
            assertThat(actions(plan, Action.Apply.class))
                    .singleElement()
                    .satisfies(apply -> assertThat(apply.pods()).isZero());
            expectReady(plan, "False", Reason.FATAL);
            expectStalled(plan);
            assertThat(plan.status().state()).isEqualTo("Fatal");
            assertThat(plan.status().lastError()).isEqualTo("UNFIT_RECORD: stream goods/feed");
        }

        @Test
        void isClearedByARequest() {
            Plan plan = fatal().annotated(Commands.RESUME, "r1").plan();
            assertThat(plan.actions()).contains(new Action.ClearFatal("r1", "UNFIT_RECORD: stream goods/feed"));
            assertThat(plan.status().resumed()).isEqualTo("r1");
        }

        @Test
        void isNotClearedTwiceByOneRequest() {
            Plan first = fatal().annotated(Commands.RESUME, "r1").plan();
            Plan again = sight.status(first.status()).plan();
            assertThat(actions(again, Action.ClearFatal.class)).isEmpty();
        }

        @Test
        void isNotClearedByARequestThatWasMadeForAnotherProblem() {
            ReplicationStatus told = fatal().plan().status();
            StateSeen.Row row = sight.row(Sight.ACTIVE, Stage.RUN, true);
            StateSeen.Row other = new StateSeen.Row(
                    row.step(),
                    row.txId(),
                    true,
                    row.stage(),
                    "TOPIC_RECREATED: x",
                    row.owner(),
                    row.held(),
                    row.movedAt(),
                    row.streams());
            Plan plan = sight.status(told)
                    .annotated(Commands.RESUME, "r1")
                    .state(other)
                    .plan();
            assertThat(actions(plan, Action.ClearFatal.class)).isEmpty();
            assertThat(plan.status().resumed()).as("answered").isEqualTo("r1");
            assertThat(plan.status().lastError()).isEqualTo("TOPIC_RECREATED: x");
            assertThat(actions(plan, Action.Tell.class))
                    .anySatisfy(tell -> assertThat(tell.note()).contains("r1", "TOPIC_RECREATED: x"));
        }

        @Test
        void answersARequestThatHasNothingToClear() {
            Plan plan = sight.annotated(Commands.RESUME, "r1").plan();
            assertThat(actions(plan, Action.ClearFatal.class)).isEmpty();
            assertThat(plan.status().resumed()).isEqualTo("r1");
            assertThat(actions(plan, Action.Tell.class))
                    .anySatisfy(tell -> assertThat(tell.note()).contains("r1", "nothing was changed"));
        }

        @Test
        void leavesARequestOpenWhileTheRowCannotBeRead() {
            Plan plan = sight.annotated(Commands.RESUME, "r1")
                    .state(new StateSeen.Unreachable("no route"))
                    .plan();
            assertThat(plan.status().resumed()).isNull();
        }

        @Test
        void keepsTheErrorUntilItRunsAgain() {
            ReplicationStatus fatal = fatal().plan().status();
            Plan starting =
                    sight.status(fatal).state(sight.row("", Stage.RUN, false)).plan();
            assertThat(starting.status().lastError()).isEqualTo("UNFIT_RECORD: stream goods/feed");
            Plan running =
                    sight.state(sight.row(Sight.ACTIVE, Stage.RUN, false)).plan();
            assertThat(running.status().lastError()).isNull();
        }
    }

    @Nested
    @DisplayName("for a change")
    class Change {
        private final Sight sight = new Sight();

        @Test
        void thatPodsMayDifferInRollsOut() {
            Plan plan = sight.spec("logLevel: Debug").plan();
            assertThat(actions(plan, Action.Apply.class)).hasSize(1);
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
        }

        @Test
        void thatPodsMustAgreeOnStopsThemAllFirst() {
            Plan plan = sight.spec("heartbeat: {maxExpectedInterval: 5s}").plan();
            assertThat(plan.actions()).contains(new Action.Scale(0));
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            expectReady(plan, "False", Reason.STOPPING_FOR_CHANGE);
            Plan stopping =
                    sight.workload(Sight.workload(0, new Sight().hash(), true)).plan();
            assertThat(actions(stopping, Action.Apply.class))
                    .as("pods are left")
                    .isEmpty();
            Plan stopped = sight.noPods().plan();
            assertThat(actions(stopped, Action.Apply.class))
                    .singleElement()
                    .satisfies(apply -> assertThat(apply.togetherHash()).isEqualTo(sight.hash()));
        }

        @Test
        void isNotReadyUntilItIsInForce() {
            Plan plan = sight.workload(Sight.workload(2, sight.hash(), false)).plan();
            expectReady(plan, "False", Reason.ROLLING_OUT);
        }

        @Test
        void ofTheOrderOfStreamsRollsOut() {
            Plan plan = sight.spec("""
                            streams:
                            - {sourceTopic: orders/feed, consumer: copy, destinationTable: orders}
                            - {sourceTopic: goods/feed, consumer: copy, destinationTable: goods}
                            """).plan();
            assertThat(actions(plan, Action.Apply.class)).hasSize(1);
        }

        @Test
        void waitsWhileItIsNotKnownWhichStreamsAreMembers() {
            Plan plan = sight.spec("keyFilter: {table: blocked}")
                    .state(new StateSeen.Unreachable("no route"))
                    .plan();
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            expect(plan, ConditionType.CONFIGURED, "Unknown", Reason.NOT_READ);
        }
    }

    @Nested
    @DisplayName("for streams")
    class OfStreams {
        private final Sight sight = new Sight();

        @Test
        void thatWereAddedLetsTheOthersGoOn() {
            List<StateSeen.StreamSeen> members = List.of(Sight.stream("goods/feed", Membership.MEMBER));
            String before = Together.hash(
                    sight.resource.getSpec(), sight.resource.getSpec().streams().subList(0, 1));
            Plan plan = sight.workload(Sight.workload(2, before, true))
                    .state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(1)), members))
                    .plan();
            assertThat(actions(plan, Action.Apply.class)).singleElement().satisfies(apply -> {
                assertThat(apply.streams()).hasSize(1);
                assertThat(apply.togetherHash()).isEqualTo(before);
            });
            expect(plan, ConditionType.STREAMS_ACCEPTED, "False", Reason.MIGRATION_REQUIRED);
            expectReady(plan, "False", Reason.MIGRATION_REQUIRED);
            assertThat(plan.status().state()).isEqualTo("Running");
            assertThat(plan.status().streams().worst())
                    .singleElement()
                    .satisfies(worst -> assertThat(worst.sourceTopic()).isEqualTo("/Root/shop/orders/feed"));
        }

        @Test
        void thatWereAddedIsToldWhatOfThemIsNotThere() {
            List<StateSeen.StreamSeen> members = List.of(Sight.stream("goods/feed", Membership.MEMBER));
            sight.state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(1)), members));
            Plan plan = sight.checked("topic x has no consumer copy").plan();
            expect(plan, ConditionType.STREAMS_ACCEPTED, "False", Reason.MIGRATION_REQUIRED);
            assertThat(condition(plan, ConditionType.STREAMS_ACCEPTED).getMessage())
                    .contains("Suspend, bring it in by hand", "docs/runbooks/conditions.md")
                    .contains("Of /Root/shop/orders/feed (consumer copy): topic x has no consumer copy");
            assertThat(plan.status().streams().worst())
                    .singleElement()
                    .satisfies(worst -> assertThat(worst.message()).endsWith("topic x has no consumer copy"));
        }

        @Test
        void thatWereRemovedStopsAllPodsThenTakesThemOutOnceThatIsConfirmed() {
            List<StateSeen.StreamSeen> members = List.of(
                    Sight.stream("goods/feed", Membership.MEMBER),
                    Sight.stream("orders/feed", Membership.MEMBER),
                    Sight.stream("old/feed", Membership.MEMBER));
            sight.served()
                    .annotated(Commands.REMOVE_STREAMS, "old/feed:copy")
                    .state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(1)), members));
            Plan running = sight.plan();
            assertThat(running.actions()).contains(new Action.Scale(0));
            assertThat(actions(running, Action.RemoveMembers.class)).isEmpty();
            expect(running, ConditionType.CONFIGURED, "False", Reason.REMOVING);
            Plan stopped = sight.noPods()
                    .workload(Sight.workload(0, sight.hash(), true))
                    .state(Sight.row("", Stage.RUN, false, Optional.empty(), members))
                    .plan();
            assertThat(stopped.actions())
                    .contains(new Action.RemoveMembers(List.of(new StreamKey("/Root/shop/old/feed", "copy"))));
            assertThat(actions(stopped, Action.Apply.class)).isEmpty();
        }

        @Test
        void areKnownByTheirAbsolutePathsHoweverTheyAreWritten() {
            for (String source : List.of(
                    "{connectionString: \"grpc://source:2136/Root/shop\", auth: {anonymous: {}}}",
                    "{connectionString: \"source:2136/Root/shop/\", auth: {anonymous: {}}}",
                    "{connectionString: \"grpcs://source:2135/?database=%2FRoot%2Fshop\", auth: {anonymous: {}}}",
                    "{endpoint: \"source:2136\", database: /Root/shop, auth: {anonymous: {}}}")) {
                Plan plan = sight.spec("source: " + source).plan();
                expect(plan, ConditionType.STREAMS_ACCEPTED, "True", Reason.ACCEPTED);
            }
            Plan absolute = sight.spec("""
                            streams:
                            - {sourceTopic: /Root/shop/goods/feed, consumer: copy, destinationTable: goods}
                            - {sourceTopic: orders/feed, consumer: copy, destinationTable: orders}
                            """).plan();
            expect(absolute, ConditionType.STREAMS_ACCEPTED, "True", Reason.ACCEPTED);
        }

        @Test
        void keepTheStatusSmallHoweverManyAreInTrouble() {
            List<StateSeen.StreamSeen> troubled = IntStream.range(0, 2_000)
                    .mapToObj(i -> new StateSeen.StreamSeen(
                            new StreamKey("/Root/" + "a".repeat(1_000) + i, "c".repeat(200)),
                            i == 0 ? Membership.MEMBER : Membership.FAILED,
                            "",
                            "m".repeat(10_000)))
                    .toList();
            Plan plan = sight.state(
                            Sight.row(Sight.ACTIVE, Stage.RUN, true, Optional.of(Sight.NOW.minusSeconds(2)), troubled))
                    .obstacle(Reason.REFUSED_BY_API_SERVER)
                    .plan();
            assertThat(Serialization.asJson(plan.status()).length()).isLessThan(64 << 10);
            assertThat(plan.status().streams().failed()).isEqualTo(1_999);
        }

        @Test
        void ofWhichNoneIsAMemberStopsWithAReason() {
            Plan plan = sight.state(Sight.row(
                            Sight.ACTIVE,
                            Stage.RUN,
                            false,
                            Optional.empty(),
                            List.of(Sight.stream("old/feed", Membership.REMOVED))))
                    .plan();
            expect(plan, ConditionType.CONFIGURED, "False", Reason.NO_STREAMS);
            expectStalled(plan);
        }
    }

    @Nested
    @DisplayName("for a member that an edit would take out")
    class Kept {
        private static final StreamKey ORDERS = new StreamKey("/Root/shop/orders/feed", "copy");
        private static final List<String> CHANGED = List.of(
                "- {sourceTopic: orders/feed, consumer: cpoy, destinationTable: orders}\n",
                "- {sourceTopic: order/feed, consumer: copy, destinationTable: orders}\n",
                "- {sourceTopic: orders/feed, consumer: copy, destinationTable: order}\n");
        private static final String GOODS = "- {sourceTopic: goods/feed, consumer: copy, destinationTable: goods}\n";

        private final Sight sight = new Sight().served();
        private final List<Stream> before = sight.resource.getSpec().streams();
        private final String hash = sight.hash();
        private final List<StateSeen.StreamSeen> members = sight.members();

        private Plan edited(String streams) {
            return edited(sight, streams);
        }

        private Plan edited(Sight sight, String streams) {
            return sight.spec("streams:\n" + streams)
                    .workload(Sight.running(Sight.workload(2, hash, true), before))
                    .state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(1)), members))
                    .plan();
        }

        private void expectGoesOnAsItWas(Plan plan) {
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
            assertThat(actions(plan, Action.RemoveMembers.class)).isEmpty();
            assertThat(actions(plan, Action.Apply.class)).singleElement().satisfies(apply -> {
                assertThat(apply.streams()).isEqualTo(before);
                assertThat(apply.togetherHash()).isEqualTo(hash);
                assertThat(apply.pods()).isEqualTo(2);
            });
            assertThat(plan.status().state()).isEqualTo("Running");
            assertThat(plan.status().removed()).isNull();
        }

        private void expectAccepted(Plan plan, Reason reason, String... texts) {
            expect(plan, ConditionType.STREAMS_ACCEPTED, "False", reason);
            assertThat(condition(plan, ConditionType.STREAMS_ACCEPTED).getMessage())
                    .contains(texts);
            expectReady(plan, "False", reason);
            expectStalled(plan);
            assertThat(plan.status().streams().worst())
                    .anySatisfy(one -> assertThat(one.state()).isEqualTo("kept"));
        }

        @Test
        void keepsOneThatWasLeftOut() {
            Plan plan = edited(GOODS);
            expectGoesOnAsItWas(plan);
            expectAccepted(
                    plan,
                    Reason.REMOVAL_NOT_CONFIRMED,
                    ORDERS.toString(),
                    "put it back",
                    "aardappel.ydb.tech/remove-streams=orders/feed:copy");
        }

        @Test
        void keepsItWhereItStoodInTheConfiguration() {
            expectGoesOnAsItWas(edited("- {sourceTopic: orders/feed, consumer: copy, destinationTable: orders}\n"));
        }

        @Test
        void keepsOneWhoseConsumerWasChanged() {
            Plan plan = edited(GOODS + "- {sourceTopic: orders/feed, consumer: cpoy, destinationTable: orders}\n");
            expectGoesOnAsItWas(plan);
            expectAccepted(
                    plan,
                    Reason.STREAM_CHANGED,
                    "spec.streams[1].consumer was changed from copy to cpoy",
                    ORDERS.toString(),
                    "write copy again",
                    "remove-streams=orders/feed:copy");
        }

        @Test
        void keepsOneWhoseTopicWasChanged() {
            Plan plan = edited(GOODS + "- {sourceTopic: order/feed, consumer: copy, destinationTable: orders}\n");
            expectGoesOnAsItWas(plan);
            expectAccepted(
                    plan,
                    Reason.STREAM_CHANGED,
                    "spec.streams[1].sourceTopic was changed from /Root/shop/orders/feed to /Root/shop/order/feed");
        }

        @Test
        void keepsOneWhoseTableWasChanged() {
            Plan plan = edited(GOODS + "- {sourceTopic: orders/feed, consumer: copy, destinationTable: order}\n");
            expectGoesOnAsItWas(plan);
            expectAccepted(
                    plan, Reason.STREAM_CHANGED, "spec.streams[1].destinationTable was changed from orders to order");
        }

        @Test
        void takesATableThatIsWrittenOtherwiseForTheSame() {
            Plan plan = edited(
                    GOODS + "- {sourceTopic: orders/feed, consumer: copy, destinationTable: /Root/copy/orders}\n");
            expect(plan, ConditionType.STREAMS_ACCEPTED, "True", Reason.ACCEPTED);
        }

        @Test
        void takesOutAChangedOneOnceThatIsConfirmedAndTheNewOneIsThere() {
            sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:copy");
            for (String entry : CHANGED) {
                edited(GOODS + entry);
                Plan plan = sight.checked("").plan();
                expect(plan, ConditionType.CONFIGURED, "False", Reason.REMOVING);
                assertThat(plan.actions()).contains(new Action.Scale(0));
            }
        }

        @Test
        void keepsAChangedOneThoughThatIsConfirmedWhileTheNewOneIsNotThere() {
            sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:copy");
            for (String entry : CHANGED) {
                edited(GOODS + entry);
                Plan plan = sight.checked("topic x has no consumer cpoy").plan();
                expectGoesOnAsItWas(plan);
                expectAccepted(
                        plan,
                        Reason.STREAM_CHANGED,
                        "is confirmed, and waits for the new one: topic x has no consumer cpoy. The stream");
                assertThat(condition(plan, ConditionType.STREAMS_ACCEPTED).getMessage())
                        .as("it is confirmed already")
                        .doesNotContain("kubectl annotate");
            }
        }

        @Test
        void saysWhatOfTheNewOneIsNotThereBeforeAnybodyConfirms() {
            edited(GOODS + CHANGED.get(0));
            expectAccepted(
                    sight.checked("topic x has no consumer cpoy").plan(),
                    Reason.STREAM_CHANGED,
                    "Of the new one: topic x has no consumer cpoy. If it",
                    "--overwrite 'aardappel.ydb.tech/remove-streams=orders/feed:copy'");
        }

        @Test
        void namesInTheCommandAsManyAsFitANoteAndCutsNone() {
            for (int length : new int[] {1, 20, 60, 150, 400, 1_000}) {
                for (int count : new int[] {1, 4, 5, 40}) {
                    List<StateSeen.StreamSeen> many = IntStream.range(0, count)
                            .mapToObj(i -> Sight.stream(
                                    "t".repeat(length) + i + "/feed", Membership.MEMBER, "/Root/copy/t" + i))
                            .toList();
                    List<StateSeen.StreamSeen> all = new ArrayList<>(members);
                    all.addAll(many);
                    Plan plan = sight.state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW), all))
                            .plan();
                    String message =
                            condition(plan, ConditionType.STREAMS_ACCEPTED).getMessage();
                    List<String> entries = many.stream()
                            .map(one -> one.key().topic().substring("/Root/shop/".length()) + ":copy")
                            .toList();
                    if (length < 400) {
                        assertThat(message.length()).isLessThanOrEqualTo(1_000);
                        String command = message.substring(
                                message.indexOf("remove-streams=") + "remove-streams=".length(), message.length() - 1);
                        assertThat(message).endsWith("'");
                        List<String> named = List.of(command.split(",", -1));
                        assertThat(entries).containsAll(named);
                        assertThat(message.contains("Not all")).isEqualTo(named.size() < count);
                        assertThat(named.size() == count || message.length() > 700)
                                .isTrue();
                    } else if (length == 1_000) {
                        assertThat(message).doesNotContain("kubectl annotate");
                    }
                }
            }
        }

        @Test
        void saysThatAnAnnotationWhichCountsNoMoreHasToBeTakenAway() {
            heedsAConfirmationOnce();
            sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:copy");
            Plan again = edited(GOODS);
            assertThat(condition(again, ConditionType.STREAMS_ACCEPTED).getMessage())
                    .contains("counts no more", Commands.REMOVE_STREAMS + "-");
        }

        @Test
        void isNotWhatTheResourceAsksFor() {
            Plan plan = edited(GOODS);
            expect(plan, ConditionType.CONFIGURED, "False", Reason.REMOVAL_NOT_CONFIRMED);
            assertThat(condition(plan, ConditionType.CONFIGURED).getMessage()).contains("but for its streams");
        }

        @Test
        void keepsAChangedOneUntilTheDatabasesHaveBeenAsked() {
            sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:copy");
            for (String entry : CHANGED) {
                expectGoesOnAsItWas(edited(GOODS + entry));
            }
        }

        @Test
        void hasTheDatabasesAskedAboutThoseThatAreNewAlone() {
            for (String entry : CHANGED) {
                edited(GOODS + entry);
                assertThat(Planner.unproven(sight.resource, sight.seen().state()))
                        .containsExactly(sight.resource.getSpec().streams().get(1));
            }
            sight.spec("streams:\n" + GOODS);
            assertThat(Planner.unproven(sight.resource, sight.seen().state())).isEmpty();
            assertThat(Planner.unproven(sight.resource, new StateSeen.Absent())).isEmpty();
        }

        @Test
        void keepsTheOthersThatAConfirmationDoesNotName() {
            sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:other goods/feed, orders/feed:cop");
            Plan plan = edited(GOODS);
            expectGoesOnAsItWas(plan);
        }

        @Test
        void takesAConfirmationByTheAbsolutePath() {
            sight.annotated(Commands.REMOVE_STREAMS, "goods/feed:copy, /Root/shop/orders/feed:copy");
            expect(edited(GOODS), ConditionType.CONFIGURED, "False", Reason.REMOVING);
        }

        @Test
        void heedsAConfirmationOnce() {
            sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:copy");
            List<StateSeen.StreamSeen> left =
                    List.of(members.get(0), Sight.stream("orders/feed", Membership.REMOVED, "/Root/copy/orders"));
            Plan done = sight.spec("streams:\n" + GOODS)
                    .state(Sight.row("", Stage.RUN, false, Optional.empty(), left))
                    .plan();
            assertThat(done.status().removed()).isEqualTo("orders/feed:copy");
            expect(done, ConditionType.STREAMS_ACCEPTED, "True", Reason.ACCEPTED);
            sight.status(done.status());
            expectKeptAgain();
            assertThat(sight.annotated(Commands.REMOVE_STREAMS, "orders/feed:copy,")
                            .plan()
                            .actions())
                    .contains(new Action.Scale(0));
        }

        /** Brought in again, and left out by mistake later. */
        private void expectKeptAgain() {
            Plan plan = edited(GOODS);
            expect(plan, ConditionType.STREAMS_ACCEPTED, "False", Reason.REMOVAL_NOT_CONFIRMED);
            assertThat(plan.status().removed()).isEqualTo("orders/feed:copy");
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
        }

        @Test
        void remembersAConfirmationThatWasCarriedOutWhileRowsCannotBeRead() {
            heedsAConfirmationOnce();
            Plan plan = sight.state(new StateSeen.Unreachable("no route")).plan();
            assertThat(plan.status().removed()).isEqualTo("orders/feed:copy");
        }

        @Test
        void forgetsItWhenTheAnnotationIsTakenAway() {
            heedsAConfirmationOnce();
            assertThat(sight.annotated(Commands.REMOVE_STREAMS, "")
                            .plan()
                            .status()
                            .removed())
                    .isNull();
        }

        @Test
        void takesItsDefinitionFromTheRowsWhereNothingRuns() {
            Plan plan = sight.spec("streams:\n" + GOODS)
                    .noPods()
                    .noWorkload()
                    .state(Sight.row("", Stage.RUN, false, Optional.empty(), members))
                    .plan();
            assertThat(actions(plan, Action.Apply.class))
                    .singleElement()
                    .satisfies(apply -> assertThat(apply.streams())
                            .containsExactly(
                                    before.get(0),
                                    new Stream("/Root/shop/orders/feed", "copy", "/Root/copy/orders", null, null)));
        }

        @Test
        void leavesWhatRunsWhereItsDefinitionIsNotKnown() {
            List<StateSeen.StreamSeen> old = List.of(members.get(0), Sight.stream("orders/feed", Membership.MEMBER));
            Plan plan = sight.spec("streams:\n" + GOODS)
                    .state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(1)), old))
                    .plan();
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
            expect(plan, ConditionType.CONFIGURED, "False", Reason.REMOVAL_NOT_CONFIRMED);
        }

        @Test
        void leavesWhatRunsWhereTheSourceIsAnotherDatabase() {
            Plan plan = sight.spec(
                            "source: {connectionString: \"grpc://source:2136/Root/shpo\", auth: {anonymous: {}}}")
                    .workload(Sight.running(Sight.workload(2, hash, true), before))
                    .state(Sight.row(Sight.ACTIVE, Stage.RUN, false, Optional.of(Sight.NOW.minusSeconds(1)), members))
                    .plan();
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
            assertThat(actions(plan, Action.RemoveMembers.class)).isEmpty();
            expect(plan, ConditionType.CONFIGURED, "False", Reason.STREAM_CHANGED);
            expectAccepted(
                    plan, Reason.STREAM_CHANGED, "spec.source names another database", "the former database again");
        }

        @Test
        void letsAnotherChangeRollOutMeanwhile() {
            Plan plan = edited(GOODS + "logLevel: Debug");
            assertThat(actions(plan, Action.Apply.class)).hasSize(1);
            Plan together = edited(new Sight(), GOODS + "keyFilter: {table: blocked}");
            expect(together, ConditionType.CONFIGURED, "False", Reason.STOPPING_FOR_CHANGE);
            assertThat(actions(together, Action.RemoveMembers.class)).isEmpty();
        }
    }

    @Nested
    @DisplayName("while something is in the way")
    class InTheWay {
        private final Sight sight = new Sight();

        @Test
        void leavesWhatRuns() {
            Plan plan = sight.obstacle(Reason.SECRET_NOT_FOUND).plan();
            assertThat(actions(plan, Action.Apply.class)).isEmpty();
            assertThat(actions(plan, Action.Scale.class)).isEmpty();
            expectReady(plan, "False", Reason.SECRET_NOT_FOUND);
            expectStalled(plan);
        }

        @Test
        void stopsThePodsOfTheYoungerOfTwo() {
            Plan plan = sight.obstacle(Reason.CONFLICT)
                    .annotated(Commands.RESUME, "r1")
                    .plan();
            assertThat(plan.actions()).contains(new Action.Scale(0));
            assertThat(plan.status().resumed())
                    .as("left open it would be carried out on what is another's today")
                    .isEqualTo("r1");
            assertThat(actions(plan, Action.Tell.class))
                    .anySatisfy(tell -> assertThat(tell.note()).contains("r1", "nothing was changed"));
        }

        @Test
        void answersNoRequestInAPassThatFailed() {
            Plan plan = sight.state(sight.row("", Stage.RUN, true))
                    .obstacle(Reason.RECONCILIATION_FAILED)
                    .annotated(Commands.RESUME, "r1")
                    .plan();
            assertThat(plan.status().resumed()).isNull();
            expect(plan, ConditionType.CONFIGURED, "False", Reason.RECONCILIATION_FAILED);
        }

        @Test
        void isOnItsWayWhileFailedPassesAreTriedAgain() {
            Plan plan = sight.obstacle(Reason.RECONCILIATION_FAILED).plan();
            expectReady(plan, "False", Reason.RECONCILIATION_FAILED);
            assertThat(condition(plan, ConditionType.RECONCILING).getStatus()).isEqualTo("True");
            assertThat(condition(plan, ConditionType.STALLED).getStatus()).isEqualTo("False");
        }

        @Test
        void passesOnWhatTheApiServerSays() {
            Plan plan = sight.workload(new Observed.Workload(
                            2, sight.hash(), "i", "c", "s", false, Optional.of("exceeded quota: cpu"), List.of()))
                    .plan();
            expectReady(plan, "False", Reason.REFUSED_BY_API_SERVER);
            assertThat(condition(plan, ConditionType.READY).getMessage()).isEqualTo("exceeded quota: cpu");
        }
    }

    @Nested
    @DisplayName("for what the active pod says of the source")
    class Source {
        private final Sight sight = new Sight();

        private void expectSource(String status, Reason reason, String words) {
            Plan plan = sight.plan();
            expect(plan, ConditionType.SOURCE_REACHABLE, status, reason);
            assertThat(condition(plan, ConditionType.SOURCE_REACHABLE).getMessage())
                    .contains(words);
        }

        @Test
        void isTrueWhileItReads() {
            expectSource("Unknown", Reason.NOT_READ, "no pod has been asked");
            sight.page("active", List.of());
            expectSource("True", Reason.SOURCE_READ, Sight.ACTIVE);
            expectReady(sight.plan(), "True", Reason.REPLICATING);
        }

        @Test
        void isFalseWithItsWords() {
            sight.page("active", List.of(), new PageSeen.Blocking("source", "goods/feed", "no such topic"));
            expectSource("False", Reason.SOURCE_UNREACHABLE, "source of goods/feed: no such topic");
        }

        @Test
        void isNoMatterOfOtherReasonsToWait() {
            sight.page("active", List.of(), new PageSeen.Blocking("no_barrier", "goods/feed", ""));
            expectSource("True", Reason.SOURCE_READ, Sight.ACTIVE);
        }

        @Test
        void isUnknownAndNoErrorWithoutAPage() {
            sight.page(new PageSeen.Unreachable(Sight.ACTIVE, "connect timed out"));
            expectSource("Unknown", Reason.PAGE_UNREACHABLE, "connect timed out");
            expectReady(sight.plan(), "True", Reason.REPLICATING);
        }

        @Test
        void isUnknownWhileNobodyReads() {
            sight.page("standby", List.of());
            expectSource("Unknown", Reason.NOT_READ, "standby");
        }

        @Test
        void tellsWhatAStartWaitsFor() {
            sight.state(new StateSeen.Absent()).page("preflight", List.of("the source does not answer"));
            expectSource("Unknown", Reason.STARTING, "the source does not answer");
            assertThat(condition(sight.plan(), ConditionType.LOCK_HELD).getMessage())
                    .contains(Sight.ACTIVE + " waits for: the source does not answer");
        }

        @Test
        void tellsWhyTheCheckpointStandsStill() {
            sight.state(Sight.row(
                            Sight.ACTIVE,
                            Stage.RUN,
                            false,
                            Optional.of(Sight.NOW.minus(Duration.ofMinutes(5))),
                            sight.members()))
                    .page("active", List.of(), new PageSeen.Blocking("no_barrier", "goods/feed", "partition 3"));
            expect(sight.plan(), ConditionType.PROGRESSING, "False", Reason.NOT_PROGRESSING);
            assertThat(condition(sight.plan(), ConditionType.PROGRESSING).getMessage())
                    .endsWith("pod " + Sight.ACTIVE + " waits: no_barrier of goods/feed: partition 3");
        }
    }

    @Nested
    @DisplayName("for what the active pod says of schemas")
    class Schema {
        private final Sight sight = new Sight();
        private final PageSeen.Blocking column = new PageSeen.Blocking("schema", "goods/feed", "goods lacks price");

        @Test
        void isTrueWhileNothingIsMissing() {
            expect(sight.plan(), ConditionType.SCHEMA_COMPATIBLE, "Unknown", Reason.NOT_READ);
            expect(sight.page("active", List.of()).plan(), ConditionType.SCHEMA_COMPATIBLE, "True", Reason.SCHEMA_FITS);
        }

        @Test
        void namesTheStreamWhoseColumnIsMissingInTheSummaryToo() {
            Plan plan = sight.page("active", List.of(), column).plan();
            expect(plan, ConditionType.SCHEMA_COMPATIBLE, "False", Reason.COLUMN_MISSING);
            expectReady(plan, "False", Reason.COLUMN_MISSING);
            assertThat(condition(plan, ConditionType.READY).getMessage()).contains("goods/feed: goods lacks price");
            assertThat(plan.status().state()).isEqualTo("Waiting");
            assertThat(actions(plan, Action.Tell.class))
                    .singleElement()
                    .satisfies(tell -> assertThat(tell.warning()).isTrue());
            assertThat(condition(plan, ConditionType.STALLED).getStatus())
                    .as("it may come, and the wait has an end")
                    .isEqualTo("False");
        }

        @Test
        void saysWhatIsMissingRatherThanThatNothingMoves() {
            sight.state(Sight.row(
                    Sight.ACTIVE,
                    Stage.RUN,
                    false,
                    Optional.of(Sight.NOW.minus(Duration.ofMinutes(5))),
                    sight.members()));
            expectReady(sight.page("active", List.of(), column).plan(), "False", Reason.COLUMN_MISSING);
        }

        @Test
        void isFalseOnceARecordHasEndedIt() {
            Plan plan = sight.noPods()
                    .page(new PageSeen.NotAsked())
                    .state(sight.row("", Stage.RUN, true))
                    .plan();
            expect(plan, ConditionType.SCHEMA_COMPATIBLE, "False", Reason.RECORD_UNFIT);
            assertThat(condition(plan, ConditionType.SCHEMA_COMPATIBLE).getMessage())
                    .isEqualTo("UNFIT_RECORD: stream goods/feed");
            expectReady(plan, "False", Reason.FATAL);
        }

        @Test
        void isUnknownWithoutThePageOfAPodThatReplicates() {
            expect(
                    sight.page(new PageSeen.Unreachable(Sight.ACTIVE, "connect timed out"))
                            .plan(),
                    ConditionType.SCHEMA_COMPATIBLE,
                    "Unknown",
                    Reason.PAGE_UNREACHABLE);
            expect(
                    sight.page("standby", List.of()).plan(),
                    ConditionType.SCHEMA_COMPATIBLE,
                    "Unknown",
                    Reason.NOT_READ);
            expectReady(sight.plan(), "True", Reason.REPLICATING);
        }
    }

    @Nested
    @DisplayName("for whether the tables are a snapshot")
    class Alignment {
        private final Sight sight = new Sight();

        private Plan told(String mode, PageSeen.Alignment alignment) {
            return sight.page(new PageSeen.Page(Sight.ACTIVE, mode, List.of(), Optional.empty(), alignment))
                    .plan();
        }

        @Test
        void isTrueWhileThePodSaysSo() {
            expect(told("active", PageSeen.Alignment.SNAPSHOT), ConditionType.ALIGNED, "True", Reason.ALIGNED);
            expectReady(sight.plan(), "True", Reason.REPLICATING);
        }

        @Test
        void isFalseInAScan() {
            sight.state(sight.row(Sight.ACTIVE, Stage.INITIAL_SCAN, false));
            Plan plan = told("active", PageSeen.Alignment.SCANNED);
            expect(plan, ConditionType.ALIGNED, "False", Reason.INITIAL_SCAN);
            expectReady(plan, "False", Reason.INITIAL_SCAN);
        }

        @Test
        void isFalseAfterOthersMovedTheCheckpointAndNotReadyUntilThen() {
            Plan plan = told("active", PageSeen.Alignment.CATCHING_UP);
            expect(plan, ConditionType.ALIGNED, "False", Reason.NOT_ALIGNED);
            expectReady(plan, "False", Reason.NOT_ALIGNED);
            assertThat(plan.status().state()).isEqualTo("Running");
            assertThat(actions(plan, Action.Tell.class))
                    .singleElement()
                    .satisfies(tell -> assertThat(tell.warning()).isFalse());
        }

        @Test
        void isUnknownWhereNobodyReplicatesOrThePageDoesNotSay() {
            expect(told("active", PageSeen.Alignment.UNTOLD), ConditionType.ALIGNED, "Unknown", Reason.NOT_READ);
            expect(told("loading", PageSeen.Alignment.CATCHING_UP), ConditionType.ALIGNED, "Unknown", Reason.NOT_READ);
            expectReady(sight.plan(), "True", Reason.REPLICATING);
            expect(
                    sight.page(new PageSeen.Unreachable(Sight.ACTIVE, "refused"))
                            .plan(),
                    ConditionType.ALIGNED,
                    "Unknown",
                    Reason.PAGE_UNREACHABLE);
        }

        @Test
        void saysNothingNewAtRest() {
            Plan first = told("active", PageSeen.Alignment.CATCHING_UP);
            Plan again = sight.status(first.status()).plan();
            assertThat(again.status()).isEqualTo(first.status());
            assertThat(actions(again, Action.Tell.class)).isEmpty();
        }
    }

    @Nested
    @DisplayName("for a pause")
    class Pause {
        private final Sight sight = new Sight().spec("suspend: true");

        @Test
        void stopsThePodsAndDeletesNothing() {
            Plan plan = sight.plan();
            assertThat(actions(plan, Action.Apply.class))
                    .singleElement()
                    .satisfies(apply -> assertThat(apply.pods()).isZero());
            expectReady(plan, "False", Reason.SUSPENDED);
        }

        @Test
        void isASettledState() {
            Plan plan = sight.noPods()
                    .workload(Sight.workload(0, sight.hash(), true))
                    .state(sight.row("", Stage.RUN, false))
                    .plan();
            expectReady(plan, "Unknown", Reason.SUSPENDED);
            expect(plan, ConditionType.RECONCILING, "False", Reason.SUSPENDED);
            expect(plan, ConditionType.STALLED, "False", Reason.SUSPENDED);
            assertThat(plan.status().state()).isEqualTo("Suspended");
        }
    }

    @Nested
    @DisplayName("for a resource that is deleted")
    class Deleted {
        private final Sight sight = new Sight().spec("deletionPolicy: Delete").held();

        @Test
        void isHeldOnlyWhereRowsAreRemoved() {
            assertThat(new Sight().spec("deletionPolicy: Delete").plan().actions())
                    .contains(new Action.Hold());
            assertThat(new Sight().held().plan().actions()).contains(new Action.Release());
            assertThat(new Sight().plan().actions()).doesNotContain(new Action.Hold(), new Action.Release());
        }

        @Test
        void isTheSubjectOfAWarningWhereItWentBeforeItWasHeld() {
            Sight late = new Sight().spec("deletionPolicy: Delete");
            assertThat(Planner.gone(late.resource)).hasValueSatisfying(tell -> {
                assertThat(tell.warning()).isTrue();
                assertThat(tell.note()).contains("repl_state", "stay", Commands.FINALIZER);
            });
            assertThat(Planner.gone(new Sight().resource)).isEmpty();
            assertThat(Planner.gone(late.held().deletedFor(Duration.ofSeconds(1)).resource))
                    .isEmpty();
        }

        @Test
        void stopsThePodsFirst() {
            Plan plan = sight.deletedFor(Duration.ofSeconds(1)).plan();
            assertThat(plan.actions()).containsExactly(new Action.Scale(0));
            expectReady(plan, "False", Reason.DELETING);
        }

        @Test
        void removesTheRowsWhenNoPodIsLeft() {
            Plan plan = gone().state(sight.row("", Stage.RUN, false)).plan();
            assertThat(plan.actions()).containsExactly(new Action.DeleteState(false), new Action.Release());
        }

        private Sight gone() {
            return sight.noPods()
                    .workload(Sight.workload(0, sight.hash(), true))
                    .deletedFor(Duration.ofSeconds(10));
        }

        @Test
        void asksTheDatabaseFirstWhenNoOperatorRanForLong() {
            Plan plan = gone().deletedFor(Duration.ofDays(1))
                    .state(new StateSeen.NotAsked())
                    .plan();
            assertThat(plan.actions()).isEmpty();
        }

        @Test
        void goesAfterALastTryWhereTheRowsCannotBeRemoved() {
            Plan plan = gone().deletedFor(Planner.DELETION_WAIT)
                    .state(sight.row("", Stage.RUN, false))
                    .plan();
            assertThat(plan.actions()).containsExactly(new Action.DeleteState(true), new Action.Release());
        }

        @Test
        void waitsForADatabaseThatIsAwayButNotForEver() {
            Sight away = gone().state(new StateSeen.Unreachable("no route"));
            assertThat(away.plan().actions()).isEmpty();
            Plan late = away.deletedFor(Planner.DELETION_WAIT).plan();
            assertThat(late.actions()).contains(new Action.Release());
            assertThat(actions(late, Action.DeleteState.class)).isEmpty();
            assertThat(actions(late, Action.Tell.class))
                    .singleElement()
                    .satisfies(tell -> assertThat(tell.note()).contains("remove them by hand"));
        }

        @Test
        void leavesTheRowsOfAProgramThatRuns() {
            Plan plan = gone().state(sight.row("oldhost", Stage.RUN, false)).plan();
            assertThat(actions(plan, Action.DeleteState.class)).isEmpty();
            assertThat(plan.actions()).contains(new Action.Release());
        }

        @Test
        void leavesTheRowsOfTheElderOfTwo() {
            Plan plan = gone().obstacle(Reason.CONFLICT)
                    .state(sight.row("", Stage.RUN, false))
                    .plan();
            assertThat(actions(plan, Action.DeleteState.class)).isEmpty();
            assertThat(plan.actions()).contains(new Action.Release());
        }

        @Test
        void thatNeverStartedGoes() {
            Plan plan = Sight.fresh()
                    .spec("deletionPolicy: Delete")
                    .held()
                    .deletedFor(Duration.ZERO)
                    .plan();
            assertThat(plan.actions()).contains(new Action.Release());
        }
    }

    @Test
    void keepsTheTimeOfATransitionWhileAStatusStays() {
        Sight sight = new Sight();
        ReplicationStatus first = sight.plan().status();
        Condition old = StatusText.previous(first, ConditionType.READY).orElseThrow();
        old.setLastTransitionTime("2026-01-01T00:00:00Z");
        Plan same = sight.status(first).plan();
        assertThat(condition(same, ConditionType.READY).getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
        Plan other = sight.state(sight.row("", Stage.RUN, false)).plan();
        assertThat(condition(other, ConditionType.READY).getLastTransitionTime())
                .isEqualTo("2026-03-04T05:06:07Z");
    }
}
