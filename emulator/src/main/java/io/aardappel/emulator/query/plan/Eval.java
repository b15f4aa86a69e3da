package io.aardappel.emulator.query.plan;

import org.jspecify.annotations.Nullable;

/** A resolved expression, ready to be evaluated. */
@FunctionalInterface
interface Eval {
    @Nullable
    Object of(Frame frame);
}
