package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import tech.ydb.core.Status;

/** The destination's refusals in words for a person. */
final class Problems {
    private Problems() {}

    static Problem rowMissing(FencedTransactions.Outcome.RowMissing missing) {
        return new Problem(
                Reason.UNFIT_RECORD,
                "table " + missing.statement().path()
                        + " has no such row, which the update needs, because it carries no value"
                        + " for a NOT NULL column without default",
                "Find out who removed the row; put it back, or give the column a default; then set state to OK and start"
                        + " again");
    }

    static Problem incompatible(String why) {
        return new Problem(
                Reason.UNFIT_RECORD,
                why + " while records for it were being applied",
                "Set state to OK and start again to go on with the new schema, or undo the change before that");
    }

    static Problem refused(String tables, Status status) {
        return new Problem(
                Reason.DESTINATION_FAILED,
                "the destination refused a transaction on " + (tables.isEmpty() ? "the state table" : tables) + ": "
                        + StatusText.of(status),
                "Compare the destination tables with the source's, see that the account may read and write them"
                        + " (replicator --check does both), then set state to OK. A table that was dropped is not just made"
                        + " again: docs/runbooks/fatal/DESTINATION_FAILED.md");
    }
}
