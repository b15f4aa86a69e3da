package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Position;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;

/**
 * The shapes of the destination tables as last read, by the table's name as configured: one registry for those who decode
 * and those who write. Thread-safe; reading waits, at most for one call's time limit.
 */
public final class DestinationTables implements DestinationShapes {
    private static final Logger log = LoggerFactory.getLogger(DestinationTables.class);

    private final Descriptions descriptions;
    private final String database;
    private final Map<String, TableShape> shapes = new ConcurrentHashMap<>();
    private final Map<String, Position> created = new ConcurrentHashMap<>();

    /**
     * A registry that knows no table yet.
     *
     * @param database absolute path that relative names belong to
     */
    public DestinationTables(Descriptions descriptions, String database) {
        this.descriptions = descriptions;
        this.database = database;
    }

    /** What reading a table gave. */
    public sealed interface Reading {
        /** Why there is no new shape, in words; empty where there is one. */
        String why();

        /**
         * The table is there.
         *
         * @param changed whether the shape differs from the one known before
         */
        record Known(TableShape shape, boolean changed) implements Reading {
            @Override
            public String why() {
                return "";
            }
        }

        /** Not to be had now, or not there at all: the status says which. */
        record Unreadable(Status status) implements Reading {
            @Override
            public String why() {
                return Failure.told(status);
            }
        }

        /** The table changed in a way that records in memory do not survive. */
        record Incompatible(String why) implements Reading {}
    }

    @Override
    public TableShape current(String table) {
        TableShape shape = shapes.get(table);
        if (shape == null) {
            throw new IllegalArgumentException("table " + table + " was never described");
        }
        return shape;
    }

    @Override
    public boolean refresh(String table) {
        Reading reading = read(table);
        if (reading instanceof Reading.Known known) {
            if (known.changed()) {
                log.info("table {} has changed and is now {}", table, known.shape());
            }
            return true;
        }
        log.warn("the shape of table {} stays as it was: {}", table, reading.why());
        return reading instanceof Reading.Incompatible;
    }

    /** The shape as last read, absent when it never was. */
    public Optional<TableShape> known(String table) {
        return Optional.ofNullable(shapes.get(table));
    }

    /**
     * When the tables were created, as their descriptions said last, by the database's virtual time; a table of which the server
     * does not tell is not among them.
     */
    public Map<String, Position> created() {
        return Map.copyOf(created);
    }

    /** Asks the server and keeps what it says, unless that breaks what was decoded before. */
    public Reading read(String table) {
        String path = TableName.parse(table).absolutePath(database);
        Result<DescribeTableResult> described = descriptions.table(path);
        return described.isSuccess()
                ? take(table, path, described.getValue())
                : new Reading.Unreadable(described.getStatus());
    }

    /**
     * Keeps what the server said, unless that breaks what was decoded before.
     *
     * @param path absolute, of the same table
     * @return never {@link Reading.Unreadable}
     */
    public Reading take(String table, String path, DescribeTableResult described) {
        TableShape fresh = Descriptions.shape(path, described);
        synchronized (this) {
            keepCreated(table, path, Descriptions.created(described));
            TableShape before = shapes.get(table);
            TableShape shape = before == null ? fresh : before.evolveTo(fresh);
            Optional<String> breaks = before == null ? Optional.empty() : breaks(before, shape);
            if (breaks.isPresent()) {
                return new Reading.Incompatible(breaks.get());
            }
            shapes.put(table, shape);
            return new Reading.Known(shape, !shape.equals(before));
        }
    }

    /** What a table under a running process held is lost like that of one that was made anew before its start. */
    private void keepCreated(String table, String path, Position now) {
        if (now.equals(Position.ZERO)) {
            return;
        }
        Position before = created.put(table, now);
        if (before != null && !before.equals(now)) {
            log.warn(
                    "table {} was dropped and made anew while it was written: it lacks what was applied before."
                            + " Bring its stream in anew (docs/runbooks/bring-a-stream-in-anew.md)",
                    path);
        }
    }

    private static Optional<String> breaks(TableShape before, TableShape shape) {
        if (!before.keyOrdinals().equals(shape.keyOrdinals())) {
            return Optional.of("table " + before.path() + " has another primary key than before");
        }
        for (int ordinal = 0; ordinal < before.columns().size(); ordinal++) {
            TableShape.Column was = before.column(ordinal);
            TableShape.Column is = shape.column(ordinal);
            if (!was.type().equals(is.type())) {
                return Optional.of("column " + was.name() + " of table " + before.path() + " was " + was.type()
                        + " and is now " + is.type());
            }
        }
        return Optional.empty();
    }
}
