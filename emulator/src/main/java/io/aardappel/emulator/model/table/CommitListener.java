package io.aardappel.emulator.model.table;

import java.util.List;

/** Told of every commit that changed rows, in commit order, under the database's lock: it must be quick and not call back. */
@FunctionalInterface
public interface CommitListener {
    void committed(Commit commit, List<RowChange> changes);
}
