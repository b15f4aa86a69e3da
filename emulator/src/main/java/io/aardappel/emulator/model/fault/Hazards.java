package io.aardappel.emulator.model.fault;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asked wherever a fault can strike. Implementations are thread-safe, quick and never call back into the asker. */
public interface Hazards {
    /** Nothing ever goes wrong. */
    Hazards NONE = (fault, path, partition) -> null;

    /**
     * How hard a fault strikes.
     *
     * @param delay what {@link Fault} says of it, zero when the fault has none
     * @param amount what {@link Fault} says of it, 0 when the fault has none
     */
    record Strike(Duration delay, long amount) {}

    /**
     * Whether the fault strikes now at that place. A strike counts as fired: ask only where it will be carried out.
     *
     * @param path absolute path of a table, topic or changefeed, or of the database where the fault has no object
     * @param partition topic partition, -1 where the fault has none
     */
    @Nullable
    Strike strike(Fault fault, String path, int partition);
}
