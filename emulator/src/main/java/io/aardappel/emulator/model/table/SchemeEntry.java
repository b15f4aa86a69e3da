package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualTimestamp;

/** An object of the path tree. {@code name} is the last element of {@code path}; the owner is a user or group name. */
public record SchemeEntry(String path, String name, Kind kind, String owner, VirtualTimestamp created) {
    public enum Kind {
        DATABASE,
        DIRECTORY,
        TABLE,
        /** Also the topic of a changefeed, which is a child of its table. */
        TOPIC
    }
}
