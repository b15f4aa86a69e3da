package io.aardappel.replicator.core;

import java.util.Map;
import java.util.Optional;

/** What one topic message says. A closed set: a new case breaks every {@link #fold} at compile time, which is the point. */
public sealed interface StreamRecord {
    <R> R fold(Cases<R> cases);

    /** One answer for each case. */
    interface Cases<R> {
        R change(Change change);

        R barrier(Barrier barrier);

        R schemaChange(SchemaChange change);

        R unfit(Unfit unfit);

        R filtered(Filtered filtered);
    }

    /** What a change does to its row. */
    enum Operation {
        /** Overlays the carried columns. */
        UPDATE,
        /** The row becomes exactly the carried columns; the others become NULL or their default. */
        REPLACE,
        /** The row goes. */
        ERASE
    }

    /**
     * A change of one row.
     *
     * @param bytes what it costs in memory, as the budget counts it
     */
    record Change(Position position, Operation operation, Key key, Columns columns, int bytes) implements StreamRecord {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.change(this);
        }
    }

    /** A resolved timestamp: every change of this partition below the position has been read. */
    record Barrier(Position position) implements StreamRecord {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.barrier(this);
        }
    }

    /**
     * The source table's schema changed; applied as "read the destination schema again".
     *
     * @param version of the new schema as the source counts, -1 when the record does not tell
     * @param lacking what the source table has and the destination table has not: names of columns, and their types there
     */
    record SchemaChange(Position position, long version, Map<String, String> lacking) implements StreamRecord {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.schemaChange(this);
        }
    }

    /**
     * A record about a row that is left out by its key, whatever else it says.
     *
     * @param position of the record where it could be read, else {@link Position#ZERO}
     */
    record Filtered(Position position) implements StreamRecord {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.filtered(this);
        }
    }

    /**
     * What a record would write, as its message spells it, for a dead letter.
     *
     * @param columns JSON text of an object
     */
    record Wording(Operation operation, String columns) {
        /** Without the values, which belong to the table's owner. */
        @Override
        public String toString() {
            return operation + " of " + columns.length() + " characters";
        }
    }

    /**
     * A record that cannot become a change: unknown shape, unknown column, a value that does not convert.
     *
     * @param position of the record where it could be read, else {@link Position#ZERO}
     * @param key the key as text where it could be read, else empty
     * @param reason what does not fit, in words for a person, naming column and both types where it is about one; no values
     * @param wording what it would write, absent where the record does not say that clearly
     */
    record Unfit(Position position, String key, String reason, Optional<Wording> wording) implements StreamRecord {
        /** One that does not say what it would write. */
        public Unfit(Position position, String key, String reason) {
            this(position, key, reason, Optional.empty());
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.unfit(this);
        }
    }
}
