package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Texts that clients name by an id. The same text has the same id; the least recently used ones are forgotten. Thread-safe. */
final class PreparedQueries {
    private static final int MAX = 1_000;

    private final Map<String, String> textById = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX;
        }
    };

    synchronized String keep(String database, String text) {
        UUID digest = UUID.nameUUIDFromBytes((database + '\n' + text).getBytes(StandardCharsets.UTF_8));
        String id = "ydb://preparedqueryid/4?id=" + digest;
        textById.put(id, text);
        return id;
    }

    synchronized String text(String id) {
        String text = textById.get(id);
        if (text == null) {
            throw new YdbException(Status.NOT_FOUND, Issue.of("Prepared query not found: " + id));
        }
        return text;
    }
}
