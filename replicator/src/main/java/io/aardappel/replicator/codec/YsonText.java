package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * YSON's text form of the JSON into which the feed turned a Yson value. What the feed does not say is lost: attributes,
 * and whether a small integer was unsigned.
 */
final class YsonText {
    /** What stands for JSON's null. */
    static final ByteString ENTITY = ByteString.copyFromUtf8("#");

    private static final String HEX = "0123456789ABCDEF";

    private YsonText() {}

    /** The document at which the parser stands as a {@link ByteString}, or a {@link Misfit}; reads it to its end. */
    static Object of(JsonParser json) throws IOException {
        ByteArrayOutputStream yson = new ByteArrayOutputStream();
        Misfit misfit = null;
        int depth = 0;
        while (true) {
            JsonToken token = json.currentToken();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (!token(json, token, yson)) {
                misfit = Misfit.OUT_OF_RANGE;
            }
            if (depth == 0) {
                return misfit == null ? CellReader.wrap(yson.toByteArray()) : misfit;
            }
            if (token != JsonToken.FIELD_NAME && !token.isStructStart()) {
                yson.write(';'); // one after the last item is allowed
            }
            if (json.nextToken() == null) {
                return Misfit.MALFORMED;
            }
        }
    }

    /** Writes one token; false when YSON has no such value. */
    private static boolean token(JsonParser json, JsonToken token, ByteArrayOutputStream yson) throws IOException {
        switch (token) {
            case START_OBJECT -> yson.write('{');
            case END_OBJECT -> yson.write('}');
            case START_ARRAY -> yson.write('[');
            case END_ARRAY -> yson.write(']');
            case FIELD_NAME -> {
                boolean unicode = quote(json, yson);
                yson.write('=');
                return unicode;
            }
            case VALUE_STRING -> {
                return quote(json, yson);
            }
            case VALUE_TRUE -> ascii("%true", yson);
            case VALUE_FALSE -> ascii("%false", yson);
            case VALUE_NULL -> ascii("#", yson);
            case VALUE_NUMBER_FLOAT -> ascii(json.getText(), yson);
            case VALUE_NUMBER_INT -> {
                return integer(json, yson);
            }
            default -> throw new IOException("unexpected token " + token);
        }
        return true;
    }

    /** An integer is signed if it can be: above that only the unsigned one is left. */
    private static boolean integer(JsonParser json, ByteArrayOutputStream yson) throws IOException {
        ascii(json.getText(), yson);
        if (json.getNumberType() != NumberType.BIG_INTEGER) {
            return true;
        }
        yson.write('u');
        return !(CellReader.unsigned(json) instanceof Misfit);
    }

    private static boolean quote(JsonParser json, ByteArrayOutputStream yson) throws IOException {
        yson.write('"');
        for (byte b : json.getText().getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                yson.write('\\');
                yson.write(b);
            } else if (b >= 0 && b < ' ') {
                ascii("\\x", yson);
                yson.write(HEX.charAt(b >> 4));
                yson.write(HEX.charAt(b & 0xf));
            } else {
                yson.write(b);
            }
        }
        yson.write('"');
        return CellReader.isUnicode(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
    }

    private static void ascii(String text, ByteArrayOutputStream yson) {
        yson.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
