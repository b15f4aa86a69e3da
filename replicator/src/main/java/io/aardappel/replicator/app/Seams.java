package io.aardappel.replicator.app;

import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.ydb.target.CommitDiscipline;

/**
 * The decisions on which correctness rests, given from outside so that a test can start a whole process with one of them
 * broken and show that the proof notices. Programs use {@link #SOUND}.
 *
 * @param rules of the core
 * @param discipline of commits
 */
public record Seams(Rules rules, CommitDiscipline discipline) {
    public static final Seams SOUND = new Seams(Rules.STANDARD, CommitDiscipline.SOUND);
}
