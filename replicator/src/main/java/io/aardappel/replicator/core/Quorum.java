package io.aardappel.replicator.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far the live partitions are complete together: the minimum over them, and nothing while one of them has not spoken.
 * An indexed heap, so that thousands of partitions cost O(log n) for each barrier. Not thread-safe.
 */
public final class Quorum {
    /** A partition in the heap; {@code slot} is its place, -1 while it has not spoken. */
    private static final class Member {
        final PartitionId id;
        Position position = Position.ZERO;
        int slot = -1;

        Member(PartitionId id) {
            this.id = id;
        }
    }

    private final Comparator<Position> order;
    private final Map<PartitionId, Member> members = new HashMap<>();
    private final Set<PartitionId> silent = new LinkedHashSet<>();
    private final List<Member> heap = new ArrayList<>();

    /** @param order the first in this order is the quorum; see {@link Rules#quorumOrder} */
    public Quorum(Comparator<Position> order) {
        this.order = order;
    }

    /** The partition becomes live. It is silent, and blocks, until {@link #set}. */
    public void enter(PartitionId partition) {
        if (!members.containsKey(partition)) {
            members.put(partition, new Member(partition));
            silent.add(partition);
        }
    }

    /** The partition is live no more. */
    public void leave(PartitionId partition) {
        Member member = members.remove(partition);
        if (member == null) {
            return;
        }
        silent.remove(partition);
        if (member.slot >= 0) {
            takeOut(member);
        }
    }

    /** How far a live partition is complete: everything of it below the position is buffered. May go back. */
    public void set(PartitionId partition, Position complete) {
        Member member = memberOf(partition);
        member.position = complete;
        if (member.slot < 0) {
            silent.remove(partition);
            member.slot = heap.size();
            heap.add(member);
        }
        siftUp(member);
        siftDown(member);
    }

    /** A live partition is no longer complete to anywhere. */
    public void unset(PartitionId partition) {
        Member member = memberOf(partition);
        if (member.slot >= 0) {
            takeOut(member);
            silent.add(partition);
        }
    }

    /** The position below which every live partition is complete; absent while one is silent or none is live. */
    public Optional<Position> position() {
        return complete() ? Optional.of(heap.get(0).position) : Optional.empty();
    }

    /** Whether every live partition has spoken, and there is one. */
    public boolean complete() {
        return silent.isEmpty() && !heap.isEmpty();
    }

    /** The partition that holds progress back: one that has not spoken, else the one with the lowest position. */
    public @Nullable PartitionId holder() {
        if (!silent.isEmpty()) {
            return silent.iterator().next();
        }
        return heap.isEmpty() ? null : heap.get(0).id;
    }

    public boolean isLive(PartitionId partition) {
        return members.containsKey(partition);
    }

    public int size() {
        return members.size();
    }

    private Member memberOf(PartitionId partition) {
        Member member = members.get(partition);
        if (member == null) {
            throw new IllegalArgumentException("partition " + partition + " is not live");
        }
        return member;
    }

    private void takeOut(Member member) {
        Member last = heap.remove(heap.size() - 1);
        if (last != member) {
            place(last, member.slot);
            siftUp(last);
            siftDown(last);
        }
        member.slot = -1;
    }

    private void siftUp(Member member) {
        while (member.slot > 0) {
            Member parent = heap.get((member.slot - 1) / 2);
            if (order.compare(parent.position, member.position) <= 0) {
                return;
            }
            swap(member, parent);
        }
    }

    private void siftDown(Member member) {
        while (true) {
            int child = 2 * member.slot + 1;
            if (child >= heap.size()) {
                return;
            }
            boolean rightFirst = child + 1 < heap.size()
                    && order.compare(heap.get(child + 1).position, heap.get(child).position) < 0;
            Member first = heap.get(rightFirst ? child + 1 : child);
            if (order.compare(member.position, first.position) <= 0) {
                return;
            }
            swap(member, first);
        }
    }

    private void swap(Member one, Member other) {
        int slot = one.slot;
        place(one, other.slot);
        place(other, slot);
    }

    private void place(Member member, int slot) {
        member.slot = slot;
        heap.set(slot, member);
    }
}
