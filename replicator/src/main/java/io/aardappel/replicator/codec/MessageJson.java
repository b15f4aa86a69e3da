package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParseException;
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
}
