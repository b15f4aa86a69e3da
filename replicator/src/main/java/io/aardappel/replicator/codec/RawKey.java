package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The bytes that stand for a row's key in the table of blocked keys, made as the Go program makes them. Stateless. */
public final class RawKey {
    private static final JsonFactory JSON = MessageJson.factory();
    private static final int VERSION = 1;

    private RawKey() {}

    /**
     * The bytes for the key of a message: a version, the table, then each element of the key as it stands in the message,
     * nothing between them. Keys of which one ends as the other begins are therefore alike: (1, 23) and (12, 3).
     *
     * @param table as the configuration spells it
     * @return empty when the message has no key that can be read
     */
    public static Optional<byte[]> of(String table, byte[] message) {
        try (JsonParser json = JSON.createParser(message)) {
            json.nextToken();
            String name = json.nextFieldName();
            while (name != null) {
                JsonToken value = json.nextToken();
                if (name.equals("key")) {
                    return value == JsonToken.START_ARRAY
                            ? Optional.of(elements(json, message, prefix(table)))
                            : Optional.empty();
                }
                json.skipChildren();
                name = json.nextFieldName();
            }
            return Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    /**
     * The bytes for a key that is given alone.
     *
     * @param table as the configuration spells it
     * @param key a JSON array, each element as the feed writes it
     * @return empty when it is no JSON array
     */
    public static Optional<byte[]> ofKey(String table, String key) {
        byte[] message = key.getBytes(StandardCharsets.UTF_8);
        try (JsonParser json = JSON.createParser(message)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                return Optional.empty();
            }
            byte[] bytes = elements(json, message, prefix(table));
            return json.nextToken() == null ? Optional.of(bytes) : Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    private static ByteArrayOutputStream prefix(String table) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(VERSION);
        bytes.writeBytes(table.getBytes(StandardCharsets.UTF_8));
        return bytes;
    }

    private static byte[] elements(JsonParser json, byte[] message, ByteArrayOutputStream bytes) throws IOException {
        while (json.nextToken() != JsonToken.END_ARRAY) {
            int from = (int) json.currentTokenLocation().getByteOffset();
            json.skipChildren();
            json.finishToken();
            int to = (int) json.currentLocation().getByteOffset();
            bytes.write(message, from, to - from);
        }
        return bytes.toByteArray();
    }
}
