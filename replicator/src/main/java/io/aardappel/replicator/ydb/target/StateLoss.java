package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.Stage;
import io.aardappel.contract.State;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A state row that was there and is gone, in words for a person. It is never made again by itself: a new one would say that
 * the initial scan is to begin, and of that the consumers, which have read on, bring nothing.
 */
final class StateLoss {
    private static final String PAGE = "docs/runbooks/fatal/STATE_LOST.md";

    /** What is gone. */
    enum Extent {
        /** The row; its table is there. */
        ROW,
        /** The table with all its rows. */
        TABLE,
        /** Nothing: a row is there, but another one, which somebody made anew. */
        REPLACED
    }

    /**
     * What the row said when this process last knew it.
     *
     * @param stage the word in the row
     */
    record Sighting(Position checkpoint, String stage) {
        /** Whether it told more than a row that was just made. */
        boolean isBeyondTheBeginning() {
            return Position.ZERO.isBefore(checkpoint);
        }
    }

    /**
     * What our rows still say of the instance, though the state row does not.
     *
     * @param checkpoint of our last transaction, {@link Position#ZERO} when it left none
     * @param transactions how many there were
     * @param members how many streams are recorded
     */
    record Traces(Position checkpoint, String stage, long transactions, long members) {
        /** Whether there was an instance that had begun. */
        boolean tellOfAnInstance() {
            return transactions > 0 || members > 0;
        }
    }

    private final YdbTarget.Identity identity;
    private final String path;

    /** @param database absolute path that a relative name of the state table belongs to */
    StateLoss(YdbTarget.Identity identity, String database) {
        this.identity = identity;
        this.path = identity.stateTable().absolutePath(database);
    }

    /**
     * The problem.
     *
     * @param seen what this process knew; empty when it never saw the row
     * @param traces what our rows say; empty where they are gone or cannot be read
     */
    Problem problem(Extent extent, Optional<Sighting> seen, Optional<Traces> traces) {
        List<String> parts = new ArrayList<>();
        parts.add("state table " + path + ", row '" + identity.instanceId() + "': " + whatIsGone(extent));
        seen.ifPresent(row -> parts.add("this process last knew it at stage " + row.stage() + ", checkpoint "
                + row.checkpoint() + time(row.checkpoint())));
        traces.filter(Traces::tellOfAnInstance).ifPresent(ours -> parts.add(told(ours)));
        return new Problem(Reason.STATE_LOST, String.join("; ", parts), remedy(extent, statement(seen, traces)));
    }

    private static String whatIsGone(Extent extent) {
        return switch (extent) {
            case ROW -> "the row is gone";
            case TABLE -> "the table is gone, and the row with it";
            case REPLACED ->
                "it was made anew by somebody: it says that the initial scan is to begin, and no row of ours"
                        + " is left beside it";
        };
    }

    private String told(Traces ours) {
        return "table " + InstanceTable.beside(identity.stateTable()).path() + " still tells of a last transaction with"
                + " checkpoint " + ours.checkpoint() + time(ours.checkpoint()) + ", and "
                + StreamTable.beside(identity.stateTable()).path() + " of " + ours.members()
                + (ours.members() == 1 ? " stream" : " streams");
    }

    private static String time(Position checkpoint) {
        return checkpoint.step() <= 0 ? "" : " (" + Instant.ofEpochMilli(checkpoint.step()) + ")";
    }

    private String remedy(Extent extent, String statement) {
        String first = "It is not made again by itself, because a scan would bring nothing that the consumers have read"
                + " already. Stop every process of the instance and see what else is gone. If all destination tables are"
                + " as they were, put it back and start: ";
        String make =
                extent == Extent.TABLE ? oneLine(StateTable.createIfAbsent(identity.stateTable())) + " then " : "";
        return first + make + statement + ". If tables were dropped, emptied or restored from a backup, what they hold"
                + " cannot be trusted: " + PAGE;
    }

    /** What our rows say is what was done last; what was seen may be older. */
    private String statement(Optional<Sighting> seen, Optional<Traces> traces) {
        Position ours = traces.map(Traces::checkpoint).orElse(Position.ZERO);
        Position last = seen.map(Sighting::checkpoint).filter(ours::isBefore).orElse(ours);
        String stage =
                seen.map(Sighting::stage).orElse(traces.map(Traces::stage).orElse(Stage.INITIAL_SCAN.name()));
        TableName table = identity.stateTable();
        return "UPSERT INTO " + table.quoted() + " (id, step_id, tx_id, state, stage) VALUES ('"
                + identity.instanceId().replace("\\", "\\\\").replace("'", "\\'") + "', "
                + Long.toUnsignedString(last.step())
                + "ul, " + Long.toUnsignedString(last.txId()) + "ul, '" + State.OK + "', '" + stage + "')";
    }

    private static String oneLine(String statement) {
        return statement.replaceAll("\\s+", " ");
    }
}
