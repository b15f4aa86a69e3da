package io.aardappel.operator.health;

import io.aardappel.program.http.Answer;
import java.time.Duration;
import java.util.List;

/** What the probes answer. Pure. What is outside, API server and databases, being away is no reason not to be alive. */
public final class Probes {
    /** Longer than any wait that is bounded: whatever takes longer will not end by itself. */
    public static final Duration STUCK_AFTER = Duration.ofMinutes(5);

    private Probes() {}

    /** Alive: whatever should move does. */
    public static Answer alive(Vitals vitals) {
        if (isStuck(vitals.longestReconciliation())) {
            return stuck("a reconciliation has been under way", vitals.longestReconciliation());
        }
        if (isStuck(vitals.idleWhileWaiting())) {
            return stuck("resources have been waiting for a reconciliation", vitals.idleWhileWaiting());
        }
        if (isStuck(vitals.pollOverdue())) {
            return stuck("no state table has been asked", vitals.pollOverdue());
        }
        List<String> stopped = vitals.stopped();
        return stopped.isEmpty()
                ? new Answer(true, "alive")
                : new Answer(false, "watches have ended: " + String.join(", ", stopped));
    }

    private static boolean isStuck(Duration time) {
        return time.compareTo(STUCK_AFTER) > 0;
    }

    private static Answer stuck(String what, Duration time) {
        return new Answer(false, what + " for " + time.toSeconds() + " s, more than " + STUCK_AFTER.toSeconds() + " s");
    }

    /** Ready: acts, or could take over at once. */
    public static Answer ready(Vitals vitals) {
        if (vitals.stopping()) {
            return new Answer(false, "stopping");
        }
        if (!vitals.watching()) {
            return new Answer(false, "starting");
        }
        List<String> unsynced = vitals.unsynced();
        return unsynced.isEmpty()
                ? new Answer(true, "ready")
                : new Answer(false, "not seen yet: " + String.join(", ", unsynced));
    }
}
