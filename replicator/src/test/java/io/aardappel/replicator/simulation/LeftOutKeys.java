package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.util.Set;

/** The keys whose rows one process leaves out, as the destination said when it loaded last. */
final class LeftOutKeys {
    private Set<String> keys = Set.of();

    Set<String> keys() {
        return keys;
    }

    void load(Set<String> found) {
        keys = found;
    }

    /** The record as the process gets to see it. */
    StreamRecord seen(int stream, StreamRecord record) {
        return keys.contains(name(stream, record)) ? new Filtered(position(record)) : record;
    }

    private static Position position(StreamRecord record) {
        return record instanceof Change change ? change.position() : Position.ZERO;
    }

    /** Of the row that a record is about; empty when it is about none. */
    static String name(int stream, StreamRecord record) {
        if (record instanceof Change change) {
            return name(stream, History.number(change.key()));
        }
        return record instanceof Unfit unfit ? stream + "/" + unfit.key() : "";
    }

    static String name(int stream, int key) {
        return stream + "/[" + key + "]";
    }
}
