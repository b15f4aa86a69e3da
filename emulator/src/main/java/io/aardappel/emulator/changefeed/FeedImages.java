package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import org.jspecify.annotations.Nullable;

/** Which images of a row a record of each mode carries. */
final class FeedImages {
    private FeedImages() {}

    /** The row after the change, null when the record has none. */
    static @Nullable Object @Nullable [] after(Mode mode, FeedEvent event) {
        return mode == Mode.NEW_IMAGE || mode == Mode.NEW_AND_OLD_IMAGES ? event.after() : null;
    }

    /** The row before the change, null when the record has none. A scan shows the row itself here, in OLD_IMAGE alone. */
    static @Nullable Object @Nullable [] before(Mode mode, FeedEvent event) {
        if (mode == Mode.OLD_IMAGE && event.kind() == FeedEvent.Kind.SCAN) {
            return event.after();
        }
        return mode == Mode.OLD_IMAGE || mode == Mode.NEW_AND_OLD_IMAGES ? event.before() : null;
    }
}
