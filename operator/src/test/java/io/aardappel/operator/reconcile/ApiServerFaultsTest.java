package io.aardappel.operator.reconcile;

import static io.aardappel.operator.reconcile.ServedNamespace.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.reconcile.FaultyApiServer.Fault;
import io.aardappel.operator.reconcile.FaultyApiServer.Request;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Behind a door that does to a real API server's answers what networks and a busy server do to them. */
@WithKubeApiServer
@DisplayName("The operator at an API server that is not well")
class ApiServerFaultsTest {
    private static final Predicate<Request> WRITES_DEPLOYMENT =
            request -> request.isWrite() && request.path().contains("/deployments/");

    private static final List<String> WATCHED = List.of(
            "replications",
            "deployments",
            "configmaps",
            "services",
            "serviceaccounts",
            "poddisruptionbudgets",
            "networkpolicies",
            "pods");
    private static final int WATCHES = WATCHED.size();

    private static KubeApiServer server;
    private static KubernetesClient person;

    private FaultyApiServer door;
    private ServedNamespace served;

    @BeforeAll
    static void define(KubeApiServer given) throws IOException {
        server = given;
        person = given.client();
        Crd.install(person);
    }

    @BeforeEach
    void begin() {
        door = FaultyApiServer.before(person);
        served = new ServedNamespace(server.newNamespace(), person, door.client());
        until("the watches", () -> door.watches() == WATCHES);
        door.forget();
    }

    @AfterEach
    void end() throws IOException {
        served.close();
        door.close();
    }

    /** The resource is served, each object was written once, and nothing is written any more. */
    private void expectRest(String resource) {
        until("the Deployment", () -> served.deployment(resource) != null);
        served.replicate(resource);
        served.awaitLooks(5);
        door.forget();
        served.awaitLooks(10);
        assertThat(door.requests()).as("writes at rest").noneMatch(Request::isWrite);
        expectPlainWords(resource);
    }

    private void expectPlainWords(String resource) {
        List<String> words =
                served.all(Event.class).stream().map(Event::getNote).collect(Collectors.toList());
        served.current(resource).getStatus().conditions().forEach(one -> words.add(one.getMessage()));
        assertThat(words)
                .allSatisfy(text -> assertThat(text)
                        .doesNotContain("Exception")
                        .doesNotContain("\tat ")
                        .doesNotContain("Failure executing"));
    }

    /** A pass that begins before a watch tells of what the last one made may write it again, with nothing new in it. */
    private void expectMadeOnce() {
        assertThat(door.requests().stream()
                        .filter(request -> request.wrote() && request.code() == 201)
                        .filter(request -> !request.path().contains("/events"))
                        .collect(Collectors.groupingBy(Request::path, Collectors.counting())))
                .isNotEmpty()
                .allSatisfy((path, count) -> assertThat(count).as(path).isEqualTo(1));
        assertThat(served.deployment("shop").getMetadata().getGeneration()).isEqualTo(1);
    }

    private void expectEvents(String... reasons) {
        assertThat(served.all(Event.class)).extracting(Event::getReason).containsExactlyInAnyOrder(reasons);
    }

    private long answered(int code) {
        return door.requests().stream()
                .filter(request -> !request.passed() && request.code() == code)
                .count();
    }

    @Test
    @DisplayName("tries a conflict again, and tells nobody")
    void conflict() {
        door.order(WRITES_DEPLOYMENT, 1, new Fault.Answer(409, "Conflict", "the object has been modified", ""));
        served.apply("shop", "");
        served.awaitCondition("shop", "Configured", "False", "RollingOut");
        assertThat(answered(409)).isEqualTo(1);
        expectMadeOnce();
        expectEvents("RollingOut");
        expectRest("shop");
    }

    @Test
    @DisplayName("waits as long as a busy API server asks for, and takes that for no refusal")
    void tooManyRequests() {
        door.order(WRITES_DEPLOYMENT, 1, new Fault.Answer(429, "TooManyRequests", "slow down", "Retry-After: 1"));
        served.apply("shop", "");
        served.awaitCondition("shop", "Configured", "False", "RollingOut");
        List<Request> writes =
                door.requests().stream().filter(WRITES_DEPLOYMENT).limit(2).toList();
        assertThat(writes).extracting(Request::code).containsExactly(429, 201);
        assertThat(Duration.ofNanos(writes.get(1).nanos() - writes.get(0).nanos()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(900));
        expectMadeOnce();
        expectEvents("RollingOut");
        expectRest("shop");
    }

    @Test
    @DisplayName("says in the status what keeps failing, once, and goes on by itself when that is over")
    void failsForLong() {
        door.order(
                WRITES_DEPLOYMENT,
                Integer.MAX_VALUE,
                new Fault.Answer(500, "InternalError", "failed calling webhook x: refused", ""));
        served.apply("shop", "");
        served.awaitCondition("shop", "Configured", "False", "ReconciliationFailed");
        assertThat(served.condition("shop", "Ready"))
                .hasValueSatisfying(one -> assertThat(one.getMessage()).contains("failed calling webhook x: refused"));
        assertThat(served.condition("shop", "Stalled"))
                .hasValueSatisfying(one -> assertThat(one.getStatus()).isEqualTo("False"));
        long failed = answered(500);
        until("two more tries", () -> answered(500) > failed + 2);
        expectEvents("ReconciliationFailed");
        expectPlainWords("shop");
        door.relent();
        served.awaitCondition("shop", "Configured", "False", "RollingOut");
        expectMadeOnce();
        expectEvents("ReconciliationFailed", "RollingOut");
        expectRest("shop");
    }

    @Test
    @DisplayName("takes one that stays busy for no refusal either")
    void busyForLong() {
        door.order(
                WRITES_DEPLOYMENT,
                Integer.MAX_VALUE,
                new Fault.Answer(429, "TooManyRequests", "too many requests", ""));
        served.apply("shop", "");
        served.awaitCondition("shop", "Configured", "False", "ReconciliationFailed");
        assertThat(served.condition("shop", "Stalled"))
                .hasValueSatisfying(one -> assertThat(one.getStatus()).isEqualTo("False"));
        door.relent();
        expectRest("shop");
    }

    @Test
    @DisplayName("writes nothing twice when the answers to its writes are lost")
    void lostAnswers() {
        door.order(WRITES_DEPLOYMENT, 1, new Fault.LoseAnswer());
        door.order(request -> request.isWrite() && request.path().contains("/events"), 1, new Fault.LoseAnswer());
        door.order(request -> request.isWrite() && request.path().contains("/status"), 1, new Fault.LoseAnswer());
        served.apply("shop", "");
        served.awaitCondition("shop", "Configured", "False", "RollingOut");
        until("the event", () -> !served.all(Event.class).isEmpty());
        served.awaitLooks(5);
        assertThat(served.deployment("shop").getMetadata().getGeneration()).isEqualTo(1);
        expectEvents("RollingOut");
        expectRest("shop");
    }

    @Test
    @DisplayName("comes to the last of several changes when answers take long")
    void slowAnswers() {
        served.apply("shop", "logLevel: Info");
        served.replicate("shop");
        door.forget();
        door.shut();
        served.apply("shop", "logLevel: Debug");
        until("a request that waits", () -> door.waiting() > 0);
        served.apply("shop", "logLevel: Warn");
        served.apply("shop", "logLevel: Error");
        assertThat(served.deployment("shop").getMetadata().getGeneration()).isEqualTo(1);
        door.open();
        until(
                "the last change",
                () -> served.condition("shop", "Configured").orElseThrow().getObservedGeneration() == 4);
        assertThat(served.deployment("shop").getMetadata().getGeneration())
                .as("what was under way, and the last")
                .isBetween(2L, 3L);
        served.roll("shop");
        served.awaitCondition("shop", "Ready", "True", "Replicating");
        served.awaitLooks(5);
        door.forget();
        served.awaitLooks(10);
        assertThat(door.requests()).as("writes at rest").noneMatch(Request::isWrite);
    }

    @Test
    @DisplayName("lists anew when its watches are too old, and sees what it missed")
    void outdatedWatches() {
        served.apply("shop", "");
        until("the Service", () -> !served.all(Service.class).isEmpty());
        door.forget();
        WATCHED.forEach(kind -> door.order(
                request -> request.isWatch() && request.path().contains("/" + kind + "?"), 1, new Fault.Outdate()));
        door.cutWatches();
        person.services().inNamespace(served.name).delete();
        served.apply("other", "");
        until("the other Deployment", () -> served.deployment("other") != null);
        until("the Service again", () -> served.all(Service.class).size() == 2);
        until("all were too old", () -> answered(410) == WATCHES);
        until("the watches", () -> door.watches() == WATCHES);
        assertThat(door.requests().stream()
                        .filter(request -> !request.isWrite() && !request.isWatch())
                        .map(request -> request.path().replaceAll("\\?.*", ""))
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
                .as("one list for each watch")
                .hasSize(WATCHES);
        served.awaitCondition("other", "Configured", "False", "RollingOut");
        expectRest("shop");
    }

    @Test
    @DisplayName("outlives an API server that fails whatever it is asked")
    void downForAWhile() {
        served.apply("shop", "");
        served.replicate("shop");
        int events = served.all(Event.class).size();
        door.order(request -> true, Integer.MAX_VALUE, new Fault.Answer(503, "ServiceUnavailable", "starting", ""));
        door.cutWatches();
        served.apply("shop", "logLevel: Debug");
        until("a few refusals of each watch", () -> answered(503) > 3 * WATCHES);
        door.relent();
        until("the change", () -> served.deployment("shop").getMetadata().getGeneration() == 2);
        until("the watches", () -> door.watches() == WATCHES);
        served.roll("shop");
        served.awaitCondition("shop", "Ready", "True", "Replicating");
        assertThat(served.all(Event.class).size()).as("no storm").isLessThanOrEqualTo(events + 3);
        served.awaitLooks(5);
        door.forget();
        served.awaitLooks(10);
        assertThat(door.requests()).as("writes at rest").noneMatch(Request::isWrite);
    }
}
