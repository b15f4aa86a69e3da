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
     * @param alignment what the tables are; of a pod in another mode than active it means nothing
     */
    record Page(String pod, String mode, List<String> waitsFor, Optional<Blocking> blocking, Alignment alignment)
            implements PageSeen {
        public Page {
            waitsFor = List.copyOf(waitsFor);
        }
    }

    /** What the tables are at a checkpoint. */
    enum Alignment {
        /** The page does not say. */
        UNTOLD,
        /** A snapshot of the source. */
        SNAPSHOT,
        /** Rows are applied as they come, in the initial scan. */
        SCANNED,
        /** No snapshot before a checkpoint that is above whatever others may have applied. */
        CATCHING_UP
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
