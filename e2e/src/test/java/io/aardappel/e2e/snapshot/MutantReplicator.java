package io.aardappel.e2e.snapshot;

import io.aardappel.replicator.app.Main;
import io.aardappel.replicator.app.Seams;
import io.aardappel.replicator.core.FoldRule;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.ydb.target.CommitDiscipline;
import java.util.Comparator;

/** The replicator with one fault planted: the proof must notice each of them, or it proves nothing. */
final class MutantReplicator {
    static final String PROPERTY = "mutant";

    private static final FoldRule FORGETS_ERASE =
            (first, second) -> first.operation() == Operation.ERASE && second.operation() == Operation.UPDATE
                    ? second
                    : Rules.STANDARD.fold().then(first, second);

    /** The planted faults. */
    enum Mutant {
        /** A transaction does not prove that the lock is ours and the state as we left it. */
        NO_LOCK_PROOF(new Seams(Rules.STANDARD, new CommitDiscipline(false, true))),
        /** The checkpoint is written by a transaction of its own. */
        CHECKPOINT_APART(new Seams(Rules.STANDARD, new CommitDiscipline(true, false))),
        /** The furthest partition decides instead of the slowest. */
        QUORUM_BY_MAXIMUM(new Seams(Rules.STANDARD.withQuorumOrder(Comparator.reverseOrder()), CommitDiscipline.SOUND)),
        /** A row erased and written again keeps the columns it had before. */
        ERASE_FORGOTTEN(new Seams(Rules.STANDARD.withFold(FORGETS_ERASE), CommitDiscipline.SOUND));

        private final Seams seams;

        Mutant(Seams seams) {
            this.seams = seams;
        }
    }

    private MutantReplicator() {}

    public static void main(String[] args) {
        System.exit(Main.run(args, Mutant.valueOf(System.getProperty(PROPERTY)).seams));
    }
}
