package io.aardappel.replicator.core;

import java.util.Optional;

/**
 * One partition as the core sees it, for status.
 *
 * @param live whether progress waits for it; else only its rest is applied and committed
 * @param parked whether nothing more of it is fetched, for want of memory
 * @param closedByUs whether it has no session because we ended the last one, for want of memory
 * @param barrier last one read
 * @param next offset to be read, -1 before the first session
 * @param acknowledged committed as the server said
 * @param end next offset to be written, as last told
 */
public record PartitionView(
        PartitionId partition,
        boolean live,
        boolean session,
        boolean parked,
        boolean closedByUs,
        Optional<Position> barrier,
        long bytes,
        int changes,
        long next,
        long acknowledged,
        long end) {}
