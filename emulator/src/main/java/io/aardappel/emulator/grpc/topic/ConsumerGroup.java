package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Shares the partitions of a topic among the read streams of one consumer: a partition has one reader at a time, readers have
 * about as many each, children follow their parents. Belongs to the read loop's thread.
 */
final class ConsumerGroup {
    private record Member(ReadStream stream, TopicSelection selection) {}

    private final Topic topic;
    private final String consumer;
    private final List<Member> members = new ArrayList<>();
    private final Map<Integer, PartitionSession> owners = new TreeMap<>();

    ConsumerGroup(Topic topic, String consumer) {
        this.topic = topic;
        this.consumer = consumer;
    }

    Topic topic() {
        return topic;
    }

    String consumer() {
        return consumer;
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    Collection<PartitionSession> sessions() {
        return List.copyOf(owners.values());
    }

    @Nullable
    PartitionSession owner(int partition) {
        return owners.get(partition);
    }

    void join(ReadStream stream, TopicSelection selection) {
        members.add(new Member(stream, selection));
        rebalance();
    }

    /** The stream is gone: its partitions are free at once. */
    void leave(ReadStream stream) {
        members.removeIf(member -> member.stream == stream);
        List<PartitionSession> orphans = owners.values().stream()
                .filter(session -> session.stream == stream)
                .toList();
        owners.values().removeAll(orphans);
        for (PartitionSession session : owners.values()) {
            if (session.successor == stream) {
                session.successor = null;
            }
        }
        orphans.forEach(this::revokeDescendants);
        rebalance();
    }

    /** The session is over while its stream goes on. */
    void released(PartitionSession session) {
        if (owners.remove(session.partition, session)) {
            revokeDescendants(session);
            rebalance();
        }
    }

    /** A session that went back to its parent's fate: children that were begun before the parent was committed stop with it. */
    private void revokeDescendants(PartitionSession parent) {
        if (topic.isDropped() || !topic.hasConsumer(consumer)) {
            return;
        }
        for (int child : topic.partition(parent.partition).children()) {
            PartitionSession session = owners.get(child);
            if (session != null && !topic.isCommittedToEnd(consumer, parent.partition)) {
                owners.remove(child);
                session.stream.revoke(session);
                revokeDescendants(session);
            }
        }
    }

    /** Gives free partitions to readers and asks for some back where readers have too many. */
    void rebalance() {
        if (topic.isDropped() || !topic.hasConsumer(consumer) || members.isEmpty()) {
            return;
        }
        List<PartitionInfo> partitions = topic.partitions();
        for (PartitionInfo partition : partitions) {
            if (!owners.containsKey(partition.id())) {
                give(partition);
            }
        }
        while (moveOne(partitions)) {
            // until no move makes the loads more even
        }
    }

    private void give(PartitionInfo partition) {
        Member chosen = candidates(partition).stream()
                .min(Comparator.comparingInt(member -> load(member.stream)))
                .orElse(null);
        if (chosen != null) {
            owners.put(partition.id(), chosen.stream.start(chosen.selection, partition, this));
        }
    }

    /** Who may get a free partition now: those that name it before those that take any. */
    private List<Member> candidates(PartitionInfo partition) {
        boolean finished = !partition.active() && topic.isCommittedToEnd(consumer, partition.id());
        List<Member> named = new ArrayList<>();
        List<Member> any = new ArrayList<>();
        for (Member member : members) {
            if (!mayStart(member.stream, partition)) {
                continue;
            }
            if (member.selection.names(partition.id())) {
                named.add(member);
            } else if (member.selection.accepts(partition.id()) && !finished) {
                any.add(member);
            }
        }
        return named.isEmpty() ? any : named;
    }

    /** Children wait until their parents are committed, or read to their ends by this very stream. */
    private boolean mayStart(ReadStream stream, PartitionInfo partition) {
        for (int parent : partition.parents()) {
            PartitionSession reading = owners.get(parent);
            boolean readHere = reading != null
                    && reading.stream == stream
                    && reading.readToEnd
                    && !reading.isStopping()
                    && stream.supportsAutoPartitioning();
            if (!readHere && !isFinished(parent)) {
                return false;
            }
        }
        return true;
    }

    private boolean isFinished(int partition) {
        return !topic.partition(partition).active() && topic.isCommittedToEnd(consumer, partition);
    }

    /** Partitions a stream has and keeps, and those it will get once they are given back. */
    private int load(ReadStream stream) {
        int load = 0;
        for (PartitionSession session : owners.values()) {
            ReadStream holder = session.isStopping() ? session.successor : session.stream;
            if (holder == stream) {
                load++;
            }
        }
        return load;
    }

    private boolean moveOne(List<PartitionInfo> partitions) {
        for (PartitionInfo partition : partitions) {
            PartitionSession session = owners.get(partition.id());
            if (session == null || session.isStopping() || !isMovable(partition)) {
                continue;
            }
            Member better = better(session, partition);
            if (better != null) {
                session.successor = better.stream;
                session.stream.stop(session);
                return true;
            }
        }
        return false;
    }

    private @Nullable Member better(PartitionSession session, PartitionInfo partition) {
        boolean ownerNames = session.selection.names(partition.id());
        int ownLoad = load(session.stream);
        Member best = null;
        for (Member member : members) {
            if (member.stream == session.stream || !member.selection.accepts(partition.id())) {
                continue;
            }
            boolean names = member.selection.names(partition.id());
            boolean wins = (names && !ownerNames) || (names == ownerNames && ownLoad - load(member.stream) >= 2);
            if (wins && (best == null || load(member.stream) < load(best.stream))) {
                best = member;
            }
        }
        return best;
    }

    /** Not while parents and children hang together in one stream's hands. */
    private boolean isMovable(PartitionInfo partition) {
        for (int parent : partition.parents()) {
            if (!isFinished(parent)) {
                return false;
            }
        }
        return partition.children().stream().noneMatch(owners::containsKey);
    }
}
