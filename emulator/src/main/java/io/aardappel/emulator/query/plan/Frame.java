package io.aardappel.emulator.query.plan;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an expression sees while it is evaluated: the run, the current row, the arguments of lambdas. One thread's. */
final class Frame {
    private static final @Nullable Object[] NO_ROW = {};

    /** Arguments of lambdas, innermost first. */
    record Locals(@Nullable Object value, @Nullable Locals outer) {}

    final Run run;

    @Nullable
    Object[] row = NO_ROW;

    @Nullable
    Locals locals;

    Frame(Run run) {
        this.run = run;
    }

    /** Evaluates with one more argument. */
    @Nullable
    Object with(@Nullable Object argument, Eval body) {
        Locals outer = locals;
        locals = new Locals(argument, outer);
        try {
            return body.of(this);
        } finally {
            locals = outer;
        }
    }

    @Nullable
    Object local(int hops) {
        Locals at = Objects.requireNonNull(locals);
        for (int i = 0; i < hops; i++) {
            at = Objects.requireNonNull(at.outer());
        }
        return at.value();
    }
}
