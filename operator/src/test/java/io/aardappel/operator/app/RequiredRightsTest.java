package io.aardappel.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.operator.app.RequiredRights.Right;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rights that the operator asks for")
class RequiredRightsTest {
    private static List<Right> all() {
        return Stream.of(
                        RequiredRights.inServedNamespaces(),
                        RequiredRights.forPodMonitors(),
                        RequiredRights.inLeaseNamespace())
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void nameEachResourceOnceAndNoWildcard() {
        assertThat(all()).doesNotHaveDuplicates().allSatisfy(right -> {
            assertThat(right.verbs()).isNotEmpty().doesNotContain("*").doesNotHaveDuplicates();
            assertThat(right.resource()).doesNotContain("*");
            assertThat(right.purpose()).isNotBlank();
        });
        assertThat(all().stream().map(right -> right.group() + "/" + right.resource()))
                .doesNotHaveDuplicates();
    }

    @Test
    void leaveSecretsUnlisted() {
        assertThat(all())
                .filteredOn(right -> right.resource().equals("secrets"))
                .singleElement()
                .satisfies(right -> assertThat(right.verbs()).containsExactly("get"));
    }
}
