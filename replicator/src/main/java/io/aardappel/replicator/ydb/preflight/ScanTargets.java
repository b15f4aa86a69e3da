package io.aardappel.replicator.ydb.preflight;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.target.StateView.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether an initial scan that is to come will meet rows. It takes none away, so that those which the source lacks would stay
 * in a table that is told to be a snapshot. Changes nothing; waits. Stateless.
 */
public final class ScanTargets {
    private ScanTargets() {}

    /**
     * A warning for each table with rows of which no process of ours has begun the scan. Nothing is said of a table that a
     * neighbour writes, whose rows they are.
     *
     * @param found what the view found just now
     * @param database absolute path that relative table names belong to
     */
    public static List<Finding> check(
            StateView view, Found found, List<StreamSpec> streams, String database, Neighbourhood neighbourhood) {
        Optional<SavedState> state = found instanceof Found.Saved saved ? Optional.of(saved.state()) : Optional.empty();
        boolean scans = found instanceof Found.Nothing
                || state.filter(saved -> saved.stage() == Stage.INITIAL_SCAN).isPresent();
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : scans ? streams : List.<StreamSpec>of()) {
            String path = TableName.parse(stream.table()).absolutePath(database);
            if (state.filter(saved -> isMember(saved, stream)).isEmpty()
                    && !neighbourhood.writes(stream.table())
                    && view.hasRows(path) instanceof Answer.Read<Boolean> rows
                    && rows.value()) {
                findings.add(withRows(path, neighbourhood));
            }
        }
        return findings;
    }

    private static Finding withRows(String path, Neighbourhood neighbourhood) {
        String leave = "leave it, if an earlier run of this scan wrote them, or the source has them all";
        return Finding.warning(
                path,
                "it has rows, and a start begins with an initial scan. The scan writes the rows that the source has and"
                        + " takes none away: rows that the source lacks stay, and `aligned` is said all the same",
                neighbourhood
                        .doubt()
                        .map(doubt -> "First find out whose rows they are: " + doubt
                                + ". Name an empty table that nobody else writes; or " + leave)
                        .orElse("If nothing else needs them, empty it before the start: DELETE FROM `" + path + "`; or "
                                + leave));
    }

    private static boolean isMember(SavedState saved, StreamSpec stream) {
        return saved.streams().stream().anyMatch(row -> row.isMember(stream));
    }
}
