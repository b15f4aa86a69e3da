package io.aardappel.replicator.ydb.topics;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which partitions came of which. A server gives out a partition while its parents are not committed to their ends only to
 * the stream that has read these, so kin must share a stream. The loop's thread owns it.
 */
final class Kinship {
    private final Map<PartitionId, Set<PartitionId>> parents = new HashMap<>();
    private final Map<PartitionId, Set<PartitionId>> children = new HashMap<>();

    void described(int stream, List<PartitionInfo> partitions) {
        for (PartitionInfo info : partitions) {
            PartitionId id = new PartitionId(stream, info.id());
            for (long parent : info.parents()) {
                PartitionId of = new PartitionId(stream, parent);
                parents.computeIfAbsent(id, any -> new LinkedHashSet<>()).add(of);
                children.computeIfAbsent(of, any -> new LinkedHashSet<>()).add(id);
            }
        }
    }

    void clear() {
        parents.clear();
        children.clear();
    }

    boolean hasParents(PartitionId partition, Set<PartitionId> among) {
        return parents.getOrDefault(partition, Set.of()).stream().anyMatch(among::contains);
    }

    boolean hasChildren(PartitionId partition, Set<PartitionId> among) {
        return children.getOrDefault(partition, Set.of()).stream().anyMatch(among::contains);
    }

    /** The partition and all that are kin to it by way of the given ones. */
    Set<PartitionId> kin(PartitionId partition, Set<PartitionId> among) {
        Set<PartitionId> found = new LinkedHashSet<>();
        Deque<PartitionId> open = new ArrayDeque<>(List.of(partition));
        while (!open.isEmpty()) {
            PartitionId next = open.remove();
            if (!found.add(next)) {
                continue;
            }
            parents.getOrDefault(next, Set.of()).stream()
                    .filter(among::contains)
                    .forEach(open::add);
            children.getOrDefault(next, Set.of()).stream()
                    .filter(among::contains)
                    .forEach(open::add);
        }
        return found;
    }
}
