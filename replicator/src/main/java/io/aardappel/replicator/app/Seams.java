package io.aardappel.replicator.app;

import io.aardappel.replicator.core.Rules;

/**
 * The decisions on which correctness rests, given from outside so that a test can start a whole process with one of them
 * broken and show that the proof notices. Programs use {@link #SOUND}.
 *
 * @param rules of the core
 */
public record Seams(Rules rules) {
    public static final Seams SOUND = new Seams(Rules.STANDARD);
}
