package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.SchemeEntry;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Puts what replicators left in the destination beside their log: state rows, dead letters and other messages. */
final class Leavings {
    /** Above every position. */
    private static final VirtualTimestamp END = new VirtualTimestamp(-1, -1);

    private Leavings() {}

    /**
     * Writes files into the folder, which must be there.
     *
     * @param database the destination
     */
    static void keep(YdbEmulator emulator, String database, Path folder) {
        List<String> rows = new ArrayList<>();
        Database destination = emulator.database(database);
        for (SchemeEntry entry : destination.list(database)) {
            if (entry.kind() == SchemeEntry.Kind.TABLE && entry.name().startsWith("state")) {
                destination.rowsBelow(entry.path(), END).values().forEach(row -> rows.add(entry.name() + " " + row));
            }
        }
        List<String> messages = new ArrayList<>();
        for (Topic topic : emulator.topics(database).all()) {
            for (PartitionInfo partition : topic.partitions()) {
                topic.read(partition.id(), partition.start())
                        .messages()
                        .forEach(message ->
                                messages.add(topic.path() + " " + new String(message.data(), StandardCharsets.UTF_8)));
            }
        }
        try {
            Files.write(folder.resolve("state-rows.txt"), rows);
            Files.write(folder.resolve("messages.txt"), messages);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep what the replicators left", e);
        }
    }
}
