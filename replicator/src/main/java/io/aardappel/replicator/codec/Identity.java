package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.Wording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What tells people and commands which record one is, as far as it can be read at all.
 *
 * @param position of {@code ts} or {@code resolved}, {@link Position#ZERO} when neither can be read
 * @param key the text of {@code key} as it stands in the message, empty when it cannot be read
 * @param wording what the record would write; absent where that is not clear, and where it would be a row of its key alone
 */
record Identity(Position position, String key, Optional<Wording> wording) {
    private static final String NO_COLUMNS = "{}";

    static Identity of(JsonFactory factory, byte[] message, int start, int end) {
        Reading reading = new Reading(message, start);
        try (JsonParser json = factory.createParser(message, start, end - start)) {
            json.nextToken();
            String name = json.nextFieldName();
            while (name != null) {
                json.nextToken();
                reading.member(json, name);
                name = json.nextFieldName();
            }
            boolean whole = json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null;
            return new Identity(reading.position, reading.key, whole ? reading.wording() : Optional.empty());
        } catch (IOException malformed) {
            // what came before the fault is still true
            return new Identity(reading.position, reading.key, Optional.empty());
        }
    }

    /** The members that came so far. */
    private static final class Reading {
        private final byte[] message;
        private final int start;
        private final Map<String, String> texts = new HashMap<>();
        private Position position = Position.ZERO;
        private String key = "";
        /** It is no change, or several at once. */
        private boolean unclear;

        Reading(byte[] message, int start) {
            this.message = message;
            this.start = start;
        }

        void member(JsonParser json, String name) throws IOException {
            switch (name) {
                case "key" -> key = text(json);
                case "ts" -> position = position(json, position);
                case "resolved" -> {
                    position = position(json, position);
                    unclear = true;
                }
                case "update", "reset", "erase", "newImage" ->
                    unclear |=
                            texts.put(name, json.currentToken() == JsonToken.START_OBJECT ? text(json) : skipped(json))
                                    != null;
                case "oldImage" -> {
                    json.skipChildren();
                    texts.put(name, "");
                }
                case "tableChanges" -> {
                    json.skipChildren();
                    unclear = true;
                }
                default -> json.skipChildren();
            }
        }

        /** By the rules by which a decoder reads one that fits. */
        Optional<Wording> wording() {
            if (unclear || key.isEmpty() || position.equals(Position.ZERO)) {
                return Optional.empty();
            }
            String update = texts.getOrDefault("update", "");
            String reset = texts.getOrDefault("reset", "");
            String image = texts.getOrDefault("newImage", "");
            boolean erase = texts.containsKey("erase");
            boolean one = (update.isEmpty() ? 0 : 1) + (reset.isEmpty() ? 0 : 1) + (erase ? 1 : 0) == 1;
            if (!one) {
                return Optional.empty();
            }
            if (erase) {
                return Optional.of(new Wording(Operation.ERASE, NO_COLUMNS));
            }
            String written = update + reset;
            if (texts.containsKey("newImage")) {
                return written.equals(NO_COLUMNS) ? wording(Operation.REPLACE, image) : Optional.empty();
            }
            return texts.containsKey("oldImage")
                    ? Optional.empty()
                    : wording(update.isEmpty() ? Operation.REPLACE : Operation.UPDATE, written);
        }

        private static Optional<Wording> wording(Operation operation, String columns) {
            return columns.isEmpty() || columns.equals(NO_COLUMNS)
                    ? Optional.empty()
                    : Optional.of(new Wording(operation, columns));
        }

        private static String skipped(JsonParser json) throws IOException {
            json.skipChildren();
            return "";
        }

        private String text(JsonParser json) throws IOException {
            int from = start + (int) json.currentTokenLocation().getByteOffset();
            json.skipChildren();
            json.finishToken();
            int to = start + (int) json.currentLocation().getByteOffset();
            return new String(message, from, to - from, StandardCharsets.UTF_8);
        }

        private static Position position(JsonParser json, Position fallback) throws IOException {
            if (json.currentToken() != JsonToken.START_ARRAY) {
                json.skipChildren();
                return fallback;
            }
            long[] pair = new long[2];
            int size = 0;
            boolean whole = true;
            for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
                if (token == null) {
                    return fallback;
                }
                if (size < 2 && CellReader.unsigned(json) instanceof Long number) {
                    pair[size++] = number;
                } else {
                    json.skipChildren();
                    whole = false;
                }
            }
            return whole && size == 2 ? new Position(pair[0], pair[1]) : fallback;
        }
    }
}
