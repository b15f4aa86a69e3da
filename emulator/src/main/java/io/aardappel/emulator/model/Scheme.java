package io.aardappel.emulator.model;

import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.topic.TopicSpec;
import java.util.List;

/**
 * Schema operations of one database, the same for YQL statements and for protocol calls. Paths are absolute. Each takes
 * effect whole or throws {@link YdbException} with the status that YDB gives.
 */
public interface Scheme {
    void createTable(TableSpec table, boolean ifNotExists);

    void alterTable(String path, List<TableSpec.Change> changes);

    void dropTable(String path, boolean ifExists);

    void createTopic(TopicSpec topic, boolean ifNotExists);

    void alterTopic(String path, List<TopicSpec.Change> changes);

    void dropTopic(String path, boolean ifExists);

    /** Creates missing parents too; does nothing when it is there. */
    void makeDirectory(String path);

    void removeDirectory(String path);
}
