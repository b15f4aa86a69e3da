package io.aardappel.replicator.ydb.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;

@DisplayName("Of the right to use an object")
class PermissionsTest {
    private static final Permissions OURS = Permissions.of(
            WhoAmIResult.newBuilder().setUser("me").addGroups("writers").build());

    private static Entry granting(String subject, String right) {
        return Entry.newBuilder()
                .setOwner("root")
                .addEffectivePermissions(tech.ydb.proto.scheme.SchemeOperationProtos.Permissions.newBuilder()
                        .setSubject(subject)
                        .addPermissionNames(right))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ydb.generic.full", "ydb.generic.use", "ydb.generic.write", "ydb.granular.update_row"})
    void nothingIsSaidWhenItIsThere(String right) {
        assertThat(OURS.toWrite("/t", "the table", granting("me", right))).isEmpty();
        assertThat(OURS.toWrite("/t", "the table", granting("writers", right))).isEmpty();
    }

    @Test
    void aWarningIsGivenWhenOnlyOthersHaveItOrWeMayOnlyRead() {
        assertThat(OURS.toWrite("/t", "the table", granting("other", "ydb.generic.full")))
                .isPresent();
        assertThat(OURS.toWrite("/t", "the table", granting("me", "ydb.generic.read")))
                .hasValueSatisfying(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING));
    }

    @Test
    void nothingIsSaidToTheOwner() {
        assertThat(OURS.toWrite(
                        "/t",
                        "the table",
                        granting("other", "ydb.generic.full").toBuilder()
                                .setOwner("me")
                                .build()))
                .isEmpty();
    }

    @Test
    void nothingIsSaidWhenTheServerShowsNothing() {
        assertThat(OURS.toWrite("/t", "the table", Entry.getDefaultInstance())).isEmpty();
        assertThat(new Permissions(Set.of()).toWrite("/t", "the table", granting("other", "ydb.generic.full")))
                .isEmpty();
    }

    @Test
    void whoMayOnlyWriteIsTold_whenReadingIsNeeded() {
        assertThat(OURS.toRead("/t", "the topic", granting("me", "ydb.granular.update_row")))
                .hasValueSatisfying(finding ->
                        assertThat(finding.sentence()).contains("on the topic", "Grant the right to read it"));
        assertThat(OURS.toRead("/t", "the topic", granting("me", "ydb.granular.select_row")))
                .isEmpty();
    }
}
