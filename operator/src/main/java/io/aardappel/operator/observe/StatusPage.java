package io.aardappel.operator.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.aardappel.contract.Stage;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.operator.resources.SpecPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the beginning of the replicator's {@code /status}: what is of interest stands before its streams, which are many. */
final class StatusPage {
    private static final JsonFactory JSON = new JsonFactory();

    private String mode = "";
    private List<String> waitsFor = List.of();
    private Optional<PageSeen.Blocking> blocking = Optional.empty();
    private String stage = "";
    private JsonToken aligned = JsonToken.VALUE_NULL;

    private StatusPage() {}

    /**
     * Of a pod.
     *
     * @param head of the page; it may break off within the streams
     * @throws IOException when it is no such page
     */
    static PageSeen read(String pod, byte[] head) throws IOException {
        StatusPage page = new StatusPage();
        try (JsonParser json = JSON.createParser(head)) {
            page.read(json);
        }
        if (page.mode.isEmpty()) {
            throw new IOException("the page says no mode");
        }
        return new PageSeen.Page(pod, page.mode, page.waitsFor, page.blocking, page.alignment());
    }

    private void read(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("the page is no JSON object");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String member = json.currentName();
            json.nextToken();
            switch (member) {
                case "mode" -> mode = json.getValueAsString("");
                case "waitsFor" -> waitsFor = texts(json);
                case "stage" -> stage = json.getValueAsString("");
                case "aligned" -> {
                    aligned = json.currentToken();
                    json.skipChildren();
                }
                case "blocking" -> blocking = blocking(json);
                case "streams" -> {
                    return;
                }
                default -> json.skipChildren();
            }
        }
    }

    private PageSeen.Alignment alignment() {
        if (aligned == JsonToken.VALUE_TRUE) {
            return PageSeen.Alignment.SNAPSHOT;
        }
        if (aligned != JsonToken.VALUE_FALSE) {
            return PageSeen.Alignment.UNTOLD;
        }
        return stage.equals(Stage.INITIAL_SCAN.name()) ? PageSeen.Alignment.SCANNED : PageSeen.Alignment.CATCHING_UP;
    }

    private static List<String> texts(JsonParser json) throws IOException {
        List<String> texts = new ArrayList<>();
        if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                texts.add(SpecPath.inSpec(json.getValueAsString("")));
            }
        }
        return texts;
    }

    private static Optional<PageSeen.Blocking> blocking(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return Optional.empty();
        }
        String reason = "";
        String stream = "";
        String why = "";
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String member = json.currentName();
            json.nextToken();
            switch (member) {
                case "reason" -> reason = json.getValueAsString("");
                case "stream" -> stream = json.getValueAsString("");
                case "why" -> why = SpecPath.inSpec(json.getValueAsString(""));
                default -> json.skipChildren();
            }
        }
        return Optional.of(new PageSeen.Blocking(reason, stream, why));
    }
}
