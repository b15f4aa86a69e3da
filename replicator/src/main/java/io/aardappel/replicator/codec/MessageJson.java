package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;

/** How messages are tokenised. */
final class MessageJson {
    /** A topic message has at most 12 MB; inside one, texts and numbers may be as long as they like. */
    private static final int LONGEST = 64 << 20;

    private static final int DEEPEST = 10_000;

    private MessageJson() {}

    static JsonFactory factory() {
        return new JsonFactoryBuilder()
                .recyclerPool(JsonRecyclerPools.threadLocalPool())
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // names inside documents are anybody's
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(LONGEST)
                        .maxNumberLength(LONGEST)
                        .maxNameLength(LONGEST)
                        .maxNestingDepth(DEEPEST)
                        .build())
                .build();
    }

    /** Where it broke, without the bytes around it. */
    static String describe(IOException malformed) {
        String where = malformed instanceof JsonParseException parse && parse.getLocation() != null
                ? " at byte " + parse.getLocation().getByteOffset()
                : "";
        return "the message is not well-formed JSON" + where;
    }

    /**
     * Reads to the end of the value that the parser stands at.
     *
     * @return the first integer that a member of this name has anywhere in it, -1 when there is none
     */
    static long firstNumber(JsonParser json, String name) throws IOException {
        long found = -1;
        int depth = json.currentToken().isStructStart() ? 1 : 0;
        while (depth > 0) {
            JsonToken token = json.nextToken();
            if (token == null) {
                return found; // the message ends here, which is told where its end is looked for
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            boolean wanted = found < 0 && token == JsonToken.VALUE_NUMBER_INT && name.equals(json.currentName());
            found = wanted && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER ? json.getLongValue() : found;
        }
        return found;
    }
}
