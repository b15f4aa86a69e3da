package io.aardappel.emulator.faults;

import java.util.Locale;

/** What a request does, so that a fault can be limited to some of them. */
public enum Operation {
    SESSION,
    BEGIN,
    QUERY,
    COMMIT,
    ROLLBACK,
    SCHEME,
    DESCRIBE,
    READ_TABLE,
    BULK_UPSERT,
    TOPIC_READ,
    TOPIC_WRITE,
    TOPIC_COMMIT,
    DISCOVERY,
    LOGIN,
    /** No request: the emulator's own work, such as barriers and the clock. */
    BACKGROUND;

    /** The name in JSON: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
