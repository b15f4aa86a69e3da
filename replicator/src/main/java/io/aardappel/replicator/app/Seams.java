package io.aardappel.replicator.app;

import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.engine.Ticker;
import io.aardappel.replicator.ydb.target.CommitDiscipline;

/**
 * The decisions on which correctness rests, given from outside so that a test can start a whole process with one of them
 * broken and show that the proof notices; and the clock, on which it must not rest. Programs use {@link #SOUND}.
 *
 * @param rules of the core
 * @param discipline of commits
 * @param clock of the engine, status and metrics
 */
public record Seams(Rules rules, CommitDiscipline discipline, Ticker clock) {
    public static final Seams SOUND = new Seams(Rules.STANDARD, CommitDiscipline.SOUND);

    /** With the machine's clocks. */
    public Seams(Rules rules, CommitDiscipline discipline) {
        this(rules, discipline, Ticker.system());
    }
}
