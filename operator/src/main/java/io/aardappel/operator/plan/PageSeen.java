package io.aardappel.operator.plan;

import java.util.List;
import java.util.Optional;

/** What the page of a pod says: of the one that holds the lock, or of one that has not started yet. */
public sealed interface PageSeen {
    /** There is no pod to be asked, or it was not asked yet. */
    record NotAsked() implements PageSeen {}

    /**
     * The pod gives no page.
     *
     * @param pod its name
     * @param why for a person
     */
    record Unreachable(String pod, String why) implements PageSeen {}

    /**
     * The page.
     *
     * @param pod its name
     * @param mode what the process does, as the page has it
     * @param waitsFor what its start waits for, in words; none once it has started
     * @param blocking what progress waits for; empty while it goes on
     */
    record Page(String pod, String mode, List<String> waitsFor, Optional<Blocking> blocking) implements PageSeen {
        public Page {
            waitsFor = List.copyOf(waitsFor);
        }
    }

    /**
     * What progress waits for.
     *
     * @param reason one of the replicator's words
     * @param stream it is about; empty when it is about none
     * @param why for a person
     */
    record Blocking(String reason, String stream, String why) {
        /** In one piece. */
        public String text() {
            return reason + (stream.isEmpty() ? "" : " of " + stream) + (why.isEmpty() ? "" : ": " + why);
        }
    }
}
