package io.aardappel.access.auth;

import java.time.Duration;

/** Makes tickets that are good for a time. Used by one thread at a time. */
public interface Issuer {
    /**
     * A new ticket.
     *
     * @param ticket as calls carry it
     * @param lifetime from now, more than zero
     */
    record Issued(String ticket, Duration lifetime) {
        /** Without the ticket. */
        @Override
        public String toString() {
            return "a ticket for " + lifetime.toSeconds() + " s";
        }
    }

    /**
     * Asks once for a new ticket.
     *
     * @param within how long that may take
     * @throws IssueException when there is none
     */
    Issued issue(Duration within) throws IssueException;
}
