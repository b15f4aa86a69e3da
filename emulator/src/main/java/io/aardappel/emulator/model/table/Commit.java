package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * One commit.
 *
 * @param timestamp where it stands in virtual time; commits may share it
 * @param version rises by at least 1 with each commit of the database, whatever the timestamp
 * @param wallMillis wall clock of the database
 * @param user who committed, null when it is not known
 */
public record Commit(
        VirtualTimestamp timestamp,
        long version,
        long wallMillis,
        @Nullable String user) {}
