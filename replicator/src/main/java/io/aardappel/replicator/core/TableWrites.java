package io.aardappel.replicator.core;

import java.util.List;

/**
 * All that one transaction does to one destination table. Each key appears once, in one of the lists; erases are to be
 * carried out before writes. Immutable.
 *
 * @param table destination table, as configured
 * @param erases rows that go
 * @param writes rows that are updated or replaced, never erased
 */
public record TableWrites(String table, List<RowWrite> erases, List<RowWrite> writes) {
    public int rows() {
        return erases.size() + writes.size();
    }
}
