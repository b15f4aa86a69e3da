package io.aardappel.emulator.changefeed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What one shard has yet to send for one feed, in order. A shard made by a split or merge waits for those before it. */
final class Outbox {
    private record Waiting(Outgoing outgoing, long dueMillis) {}

    private final long tabletId;
    private final String producerId;
    private final FeedKnobs knobs;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final List<Outbox> parents;
    private long lastDueMillis;
    private long seqNo;
    private long announcedStep;
    private long arrivedStep;

    Outbox(long tabletId, FeedKnobs knobs, List<Outbox> parents) {
        this.tabletId = tabletId;
        this.producerId = Long.toString(tabletId);
        this.knobs = knobs;
        this.parents = new ArrayList<>(parents);
    }

    String producerId() {
        return producerId;
    }

    long nextSeqNo() {
        return ++seqNo;
    }

    int size() {
        return queue.size();
    }

    /** Sends at once what may go at once; keeps the rest. */
    void send(Outgoing outgoing, long nowMillis, Consumer<Outgoing> sink) {
        long delay = knobs.shardDelay(tabletId);
        if (delay == 0 && queue.isEmpty() && isFree()) {
            sink.accept(outgoing);
            return;
        }
        lastDueMillis = Math.max(lastDueMillis, nowMillis + delay);
        queue.add(new Waiting(outgoing, lastDueMillis));
    }

    /** Sends what is due; answers how much. */
    int drain(long nowMillis, Consumer<Outgoing> sink) {
        int sent = 0;
        if (!isFree()) {
            return sent;
        }
        Waiting next = queue.peek();
        while (next != null && next.dueMillis() <= nowMillis) {
            queue.remove();
            sink.accept(next.outgoing());
            sent++;
            next = queue.peek();
        }
        return sent;
    }

    /** Remembers that a heartbeat of this step is on its way; false when one as high was before. */
    boolean announce(long step) {
        if (step <= announcedStep) {
            return false;
        }
        announcedStep = step;
        return true;
    }

    void arrived(long step) {
        arrivedStep = step;
    }

    /** The step of the last heartbeat that arrived, 0 when none did. */
    long arrivedStep() {
        return arrivedStep;
    }

    private boolean isFree() {
        parents.removeIf(Outbox::isFinished);
        return parents.isEmpty() && !knobs.shardHeld(tabletId);
    }

    /** A parent gets nothing new; it is finished once it is empty and its own parents are. */
    boolean isFinished() {
        parents.removeIf(Outbox::isFinished);
        return queue.isEmpty() && parents.isEmpty();
    }
}
