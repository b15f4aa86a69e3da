package io.aardappel.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What kube-state-metrics is told of Replications")
class KubeStateMetricsTest {
    private static final Pattern STATES = Pattern.compile("In a word: ([A-Za-z, ]+)\\.");

    private static JsonNode yaml(String path) throws IOException {
        return Serialization.unmarshal(Files.readString(Path.of("..", path)), JsonNode.class);
    }

    private static JsonNode resource() throws IOException {
        return yaml("deploy/kube-state-metrics/custom-resource-state.yaml")
                .path("spec")
                .path("resources")
                .path(0);
    }

    static List<JsonNode> metrics() throws IOException {
        List<JsonNode> metrics = new ArrayList<>();
        resource().path("metrics").forEach(metrics::add);
        return metrics;
    }

    private static JsonNode crd() throws IOException {
        return yaml("crds/replications.aardappel.ydb.tech.yaml").path("spec");
    }

    /** Of the version that is told of; what is in metadata is the API server's. */
    private static JsonNode at(JsonNode schema, JsonNode path) {
        JsonNode found = schema;
        for (JsonNode step : path) {
            assertThat(step.isTextual())
                    .as("each step names a member: %s", path)
                    .isTrue();
            found = found.path("properties").path(step.asText());
        }
        return found;
    }

    private static void expectMember(JsonNode schema, JsonNode path) {
        if (!path.path(0).asText().equals("metadata")) {
            assertThat(at(schema, path).path("type").asText())
                    .as("type of %s", path)
                    .isNotEmpty();
        }
    }

    private static JsonNode schema() throws IOException {
        return crd().path("versions").path(0).path("schema").path("openAPIV3Schema");
    }

    @Test
    void isAboutTheResourceThatThereIs() throws IOException {
        JsonNode kind = resource().path("groupVersionKind");
        assertThat(kind.path("group")).isEqualTo(crd().path("group"));
        assertThat(kind.path("kind")).isEqualTo(crd().path("names").path("kind"));
        assertThat(kind.path("version"))
                .isEqualTo(crd().path("versions").path(0).path("name"));
        assertThat(metrics()).extracting(metric -> metric.path("name").asText()).doesNotHaveDuplicates();
    }

    @MethodSource("metrics")
    @ParameterizedTest
    void goesByMembersOfTheResource(JsonNode metric) throws IOException {
        JsonNode each = metric.path("each");
        String type = each.path("type").asText();
        assertThat(type).isIn("Gauge", "StateSet", "Info");
        JsonNode body = each.path(Character.toLowerCase(type.charAt(0)) + type.substring(1));
        assertThat(body.isObject()).as("%s has its own part", type).isTrue();
        assertThat(metric.path("help").asText()).isNotBlank();
        JsonNode schema = schema();
        JsonNode inner = schema;
        if (body.has("path")) {
            expectMember(schema, body.path("path"));
            JsonNode found = at(schema, body.path("path"));
            inner = found.path("type").asText().equals("array") ? found.path("items") : schema;
        }
        for (JsonNode label : body.path("labelsFromPath")) {
            expectMember(inner, label);
        }
        if (body.has("valueFrom")) {
            expectMember(inner, body.path("valueFrom"));
        }
    }

    @Test
    void knowsEveryState() throws IOException {
        String description = at(schema(), Serialization.unmarshal("[\"status\", \"state\"]", JsonNode.class))
                .path("description")
                .asText();
        Matcher states = STATES.matcher(description);
        assertThat(states.find()).isTrue();
        JsonNode told = metrics().stream()
                .filter(metric -> metric.path("name").asText().equals("status_state"))
                .findFirst()
                .orElseThrow()
                .path("each")
                .path("stateSet")
                .path("list");
        List<String> list = new ArrayList<>();
        told.forEach(state -> list.add(state.asText()));
        assertThat(list).containsExactly(states.group(1).replace(" or ", ", ").split(", ", -1));
    }
}
