package io.aardappel.operator.health;

import java.time.Duration;
import java.util.List;

/** What is known of the program's moving parts. Thread-safe; answers at once. */
public interface Vitals {
    /** Whether the program is on its way to its end. */
    boolean stopping();

    /** Watches that have not had their first answer, by what they watch; empty when all have. */
    List<String> unsynced();

    /** Watches that have ended and will not come back. */
    List<String> stopped();

    /** Whether anything is watched yet. */
    boolean watching();

    /** For how long the slowest reconciliation has been under way; zero when none is. */
    Duration longestReconciliation();

    /** For how long resources have been waiting while no reconciliation began or ended; zero when none waits. */
    Duration idleWhileWaiting();

    /** For how long nobody has been asked although somebody should have been; zero when nobody is to be asked. */
    Duration pollOverdue();
}
