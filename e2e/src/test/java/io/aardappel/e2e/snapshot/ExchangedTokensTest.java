package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.emulator.tokens.TokenDesk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A replicator that exchanges tokens, by a file of each form")
class ExchangedTokensTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration LIFETIME = Duration.ofSeconds(4);
    private static final String KEY = KnownSecrets.secret("key-that-signs-the-tokens-of-the-source");
    private static final String PROJECTED = KnownSecrets.secret("projected-token-");

    @TempDir
    private Path folder;

    private Path given;
    private Scene scene;
    private TokenDesk desk;
    private int rows;

    @BeforeEach
    void begin() throws IOException {
        scene = new Scene(
                folder, YdbEmulator.builder().tokenService("localhost", 0).token("scene", "root@builtin"), "scene");
        given = Files.createDirectory(folder.resolve("given"));
        desk = scene.emulator.tokenDesk();
        desk.setLifetime(LIFETIME);
        scene.table("goods", "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", "", "UPDATES");
        project("1");
        scene.authenticate(
                """
                src_oauth2_file: "%s"
                src_oauth2_endpoint: "%s"
                dst_oauth2_file: "%s"
                """.formatted(signing(), scene.emulator.tokenEndpoint().orElseThrow(), projecting()));
    }

    @AfterEach
    void end() {
        scene.close();
        desk.tickets().forEach(KnownSecrets::note);
        desk.requests()
                .forEach(form -> form.getOrDefault("subject_token", List.of()).forEach(KnownSecrets::note));
    }

    private Path signing() throws IOException {
        return Files.writeString(given.resolve("signing.json"), """
                {"subject-credentials": {"type": "JWT", "alg": "HS256", "private-key": "%s", "sub": "replicator"}}
                """.formatted(
                        Base64.getEncoder().encodeToString(KEY.getBytes(StandardCharsets.UTF_8))));
    }

    private Path projecting() throws IOException {
        return Files.writeString(given.resolve("projecting.json"), """
                {"type": "oauth2_token_exchange", "oauth2_token_exchange": {
                    "payload": {"subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
                                "subject_token": {"type": "file", "file": "%s"}},
                    "exchanger": {"endpoint": "%s"}}}
                """.formatted(
                given.resolve("projected"), scene.emulator.tokenEndpoint().orElseThrow()));
    }

    /** As Kubernetes writes the token of a service account anew. */
    private void project(String number) throws IOException {
        Files.writeString(given.resolve("projected"), PROJECTED + number + "\n");
    }

    private void write() {
        rows++;
        scene.write("UPSERT INTO goods (k, v) VALUES (" + rows + "ul, \"value " + rows + "\"u);");
    }

    private void expectTheCopyToFollow() {
        write();
        scene.settle();
        String select = "SELECT k, v FROM goods;";
        assertThat(scene.destination.read(select))
                .hasSize(rows)
                .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
    }

    private void awaitIssued(int more) {
        int before = desk.issued();
        await().atMost(LIMIT).until(() -> desk.issued() >= before + more);
    }

    @Test
    @Tag("slow")
    void isPatientWithATokenServiceThatIsSlow() {
        desk.setLifetime(LIFETIME.multipliedBy(2));
        desk.setDelay(LIFETIME.dividedBy(2));
        ReplicatorProcess replicator = scene.start();
        expectTheCopyToFollow();
        awaitIssued(4);
        expectTheCopyToFollow();
        assertThat(replicator.alive()).isTrue();
    }

    @Test
    void goesOnThroughRenewals() {
        ReplicatorProcess replicator = scene.start();
        expectTheCopyToFollow();
        awaitIssued(4);
        expectTheCopyToFollow();
        assertThat(replicator.alive()).isTrue();
    }

    @Test
    void goesOnWithAProjectedTokenThatTookTheOthersPlace() throws IOException {
        ReplicatorProcess replicator = scene.start();
        expectTheCopyToFollow();
        project("2");
        awaitIssued(4);
        assertThat(desk.requests().stream().map(form -> form.get("subject_token")))
                .contains(List.of(PROJECTED + "1"), List.of(PROJECTED + "2"));
        expectTheCopyToFollow();
        assertThat(replicator.alive()).isTrue();
    }

    @Test
    void outlivesTokensThatDieBeforeTheirTime() {
        desk.setLifetime(Duration.ofHours(1));
        ReplicatorProcess replicator = scene.start();
        expectTheCopyToFollow();
        desk.expire();
        scene.emulator.restartNode();
        expectTheCopyToFollow();
        assertThat(replicator.alive()).isTrue();
    }

    @Test
    void opensItsSessionsAnewWhenTheyEndWithTheTokensTheyWereOpenedWith() throws IOException {
        desk.setLifetime(Duration.ofHours(1));
        ReplicatorProcess replicator = scene.start();
        expectTheCopyToFollow();
        desk.expire();
        await().atMost(LIMIT).until(() -> scene.log().contains("takes its token no more"));
        expectTheCopyToFollow();
        assertThat(replicator.alive()).isTrue();
        assertThat(scene.state("state")).isEqualTo("OK");
    }

    @Test
    void keepsItsSessionsThroughRenewalsBecauseItShowsThemTheNewToken() throws IOException {
        desk.setLifetime(LIFETIME.multipliedBy(2));
        scene.start();
        expectTheCopyToFollow();
        long firstIsDead = System.nanoTime() + LIFETIME.multipliedBy(3).toNanos();
        await().atMost(LIMIT).until(() -> System.nanoTime() - firstIsDead >= 0);
        expectTheCopyToFollow();
        assertThat(scene.log()).doesNotContain("takes its token no more", "reading t/feed", "UNAUTHENTICATED");
    }

    @Test
    @Tag("slow")
    void outlivesATokenServiceThatIsAwayForLongerThanATokenLasts() {
        ReplicatorProcess replicator = scene.start();
        expectTheCopyToFollow();
        desk.refuse(503, Integer.MAX_VALUE);
        scene.emulator.restartNode();
        Duration away = Scene.HEARTBEAT.multipliedBy(3).plus(LIFETIME);
        await().pollDelay(away).atMost(LIMIT).until(() -> true);
        assertThat(replicator.alive()).isTrue();
        desk.refuse(503, 0);
        expectTheCopyToFollow();
        assertThat(scene.state("state")).isEqualTo("OK");
    }

    @Test
    void endsWithCode4WhenTheTokenServiceRefusesItAtTheStart() throws IOException {
        desk.refuse(401, Integer.MAX_VALUE);
        scene.start();
        assertThat(scene.exitCode(LIMIT)).isEqualTo(4);
        assertThat(scene.log())
                .contains(
                        "src_oauth2_file",
                        "signing.json",
                        "token exchange at " + scene.emulator.tokenEndpoint().orElseThrow() + ": HTTP 401");
    }

    @Test
    @DisplayName("B34: lets no secret out, though it logs all it can and much goes wrong")
    void letsNoSecretOutB34() throws Exception {
        Pages pages = Pages.of(scene);
        ReplicatorProcess replicator = scene.start(leavingCrashReportsIn(folder.resolve("crash.txt")));
        expectTheCopyToFollow();
        desk.refuse(400, 3);
        desk.expire();
        scene.emulator.restartNode();
        expectTheCopyToFollow();
        StringBuilder told = new StringBuilder();
        for (String page : List.of("/metrics", "/status")) {
            told.append(pages.text(page));
        }
        scene.dismiss(replicator);
        replicator.crash();
        told.append(scene.log()).append(stateTables()).append(Files.readString(folder.resolve("crash.txt")));
        assertThat(told.toString()).contains("new token", "aardappel", "HTTP 400", "SIGSEGV");
        assertThat(told.toString()).doesNotContain(secrets());
    }

    private static SnapshotRun.Program leavingCrashReportsIn(Path file) {
        return new SnapshotRun.Program(
                SnapshotRun.Program.REPLICATOR.main(),
                List.of("-XX:ErrorFile=" + file.toAbsolutePath(), "-XX:-CreateCoredumpOnCrash"));
    }

    private String stateTables() {
        StringBuilder rowsOfAll = new StringBuilder();
        for (String suffix : List.of("", InstanceTable.SUFFIX, StreamTable.SUFFIX, DecisionTable.SUFFIX)) {
            scene.destination.read("SELECT * FROM state" + suffix + ";").forEach(rowsOfAll::append);
        }
        return rowsOfAll.toString();
    }

    /** The marker that all chosen ones hold, the key as the file holds it, what was signed, and what was issued. */
    private List<String> secrets() {
        List<String> secrets = new ArrayList<>(desk.tickets());
        secrets.add(KnownSecrets.MARKER);
        secrets.add(Base64.getEncoder().encodeToString(KEY.getBytes(StandardCharsets.UTF_8)));
        desk.requests().forEach(form -> secrets.addAll(form.getOrDefault("subject_token", List.of())));
        return secrets;
    }
}
