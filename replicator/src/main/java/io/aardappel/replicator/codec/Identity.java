package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.aardappel.replicator.core.Position;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What tells people and commands which record one is, as far as it can be read at all.
 *
 * @param position of {@code ts} or {@code resolved}, {@link Position#ZERO} when neither can be read
 * @param key the text of {@code key} as it stands in the message, empty when it cannot be read
 */
record Identity(Position position, String key) {

    static Identity of(JsonFactory factory, byte[] message, int start, int end) {
        Position position = Position.ZERO;
        String key = "";
        try (JsonParser json = factory.createParser(message, start, end - start)) {
            json.nextToken();
            String name = json.nextFieldName();
            while (name != null) {
                json.nextToken();
                if (name.equals("key")) {
                    key = text(json, message, start);
                } else if (name.equals("ts") || name.equals("resolved")) {
                    position = position(json, position);
                } else {
                    json.skipChildren();
                }
                name = json.nextFieldName();
            }
        } catch (IOException malformed) {
            return new Identity(position, key); // what came before the fault is still true
        }
        return new Identity(position, key);
    }

    private static String text(JsonParser json, byte[] message, int start) throws IOException {
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
