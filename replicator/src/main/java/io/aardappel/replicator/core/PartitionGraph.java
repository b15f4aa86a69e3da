package io.aardappel.replicator.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions of one topic are live. A partition becomes live when all its parents have left; a parent leaves when it
 * was read to its end, together with every other parent of its children, and in the same step the children enter. So at
 * every moment each key is covered by exactly one live partition. Ids are kept sorted, since a run must be replayable. Not
 * thread-safe.
 */
public final class PartitionGraph {
    /** Partitions that leave and those that enter in their place, to be carried out as one step. */
    public record Handover(Set<Long> leaving, List<Entry> entering) {}

    /**
     * A partition that becomes live.
     *
     * @param parents that leave in the same step; its completeness begins at the minimum of theirs
     * @param depth longest way from an original partition
     */
    public record Entry(long id, Set<Long> parents, int depth) {}

    private enum Place {
        WAITING,
        LIVE,
        LEFT
    }

    private static final class Node {
        final long id;
        Set<Long> parents = Set.of();
        Set<Long> children = Set.of();
        Place place = Place.WAITING;
        boolean readToEnd;
        int depth;

        Node(long id) {
            this.id = id;
        }
    }

    private final Map<Long, Node> nodes = new LinkedHashMap<>();

    /**
     * Takes in a description. At the first one, inactive partitions whose end is committed have left already.
     *
     * @return the steps that follow from it, in order
     */
    public List<Handover> described(Collection<PartitionInfo> partitions) {
        boolean first = nodes.isEmpty();
        for (PartitionInfo info : partitions) {
            Node node = nodes.computeIfAbsent(info.id(), Node::new);
            node.parents = new TreeSet<>(info.parents());
            node.children = new TreeSet<>(info.children());
            node.readToEnd |= first && !info.active() && info.committedOffset() >= info.endOffset();
        }
        return settle();
    }

    /**
     * Everything of the partition was read.
     *
     * @return the steps that follow from it; empty while its children are not yet known or have other parents that go on
     */
    public List<Handover> readToEnd(long partition) {
        Node node = nodes.get(partition);
        if (node == null) {
            return List.of();
        }
        node.readToEnd = true;
        return settle();
    }

    /** Whether the partition was read to its end and stays live only because its children are not all described. */
    public boolean awaitsDescription(long partition) {
        Node node = nodes.get(partition);
        return node != null
                && node.place == Place.LIVE
                && node.readToEnd
                && (node.children.isEmpty() || !nodes.keySet().containsAll(node.children));
    }

    /** Whether the partition was described. */
    public boolean knows(long partition) {
        return nodes.containsKey(partition);
    }

    /** Known parents of the partition. */
    public Set<Long> parents(long partition) {
        Node node = nodes.get(partition);
        return node == null ? Set.of() : node.parents;
    }

    /** Live partitions that are still to be read to their ends before the children of this one can become live. */
    public Set<Long> delaysChildrenOf(long partition) {
        Set<Long> delaying = new TreeSet<>();
        Set<Node> seen = new LinkedHashSet<>();
        List<Node> open = new ArrayList<>();
        Node start = nodes.get(partition);
        if (start != null) {
            open.add(start);
        }
        while (!open.isEmpty()) {
            Node node = open.remove(open.size() - 1);
            if (node.place == Place.LEFT || !seen.add(node)) {
                continue;
            }
            if (node.place == Place.LIVE && !node.readToEnd) {
                delaying.add(node.id);
                continue;
            }
            Set<Long> next = new TreeSet<>(node.place == Place.WAITING ? node.parents : node.children);
            next.stream().map(nodes::get).filter(Objects::nonNull).forEach(open::add);
        }
        return delaying;
    }

    private List<Handover> settle() {
        List<Handover> steps = new ArrayList<>();
        Handover originals = enterOriginals();
        if (!originals.entering().isEmpty()) {
            steps.add(originals);
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Node node : List.copyOf(nodes.values())) {
                Handover step = handoverOf(node);
                if (step != null) {
                    steps.add(step);
                    moved = true;
                }
            }
        }
        return steps;
    }

    /** Partitions of which no parent is known any more, at their first description. */
    private Handover enterOriginals() {
        List<Entry> entering = new ArrayList<>();
        for (Node node : nodes.values()) {
            if (node.place == Place.WAITING && node.parents.stream().noneMatch(nodes::containsKey)) {
                node.place = Place.LIVE;
                entering.add(new Entry(node.id, Set.of(), 0));
            }
        }
        return new Handover(Set.of(), entering);
    }

    private @Nullable Handover handoverOf(Node node) {
        if (node.place != Place.LIVE || !node.readToEnd || node.children.isEmpty()) {
            return null;
        }
        Set<Node> parents = new LinkedHashSet<>();
        Set<Node> children = new LinkedHashSet<>();
        if (!gather(node, parents, children)) {
            return null;
        }
        parents.forEach(parent -> parent.place = Place.LEFT);
        List<Entry> entering = new ArrayList<>();
        for (Node child : children) {
            child.place = Place.LIVE;
            child.depth = depthBelow(child.parents);
            entering.add(new Entry(child.id, child.parents, child.depth));
        }
        Set<Long> leaving = new LinkedHashSet<>();
        parents.forEach(parent -> leaving.add(parent.id));
        return new Handover(leaving, entering);
    }

    /**
     * All parents and children that can only change places together with this one.
     *
     * @return false while one of them is unknown or not yet read to its end
     */
    private boolean gather(Node start, Set<Node> parents, Set<Node> children) {
        List<Node> open = new ArrayList<>(List.of(start));
        while (!open.isEmpty()) {
            Node parent = open.remove(open.size() - 1);
            if (!parents.add(parent)) {
                continue;
            }
            if (parent.place != Place.LIVE || !parent.readToEnd) {
                return false;
            }
            for (long id : parent.children) {
                Node child = nodes.get(id);
                if (child == null || child.place != Place.WAITING) {
                    return false;
                }
                children.add(child);
                child.parents.stream()
                        .map(nodes::get)
                        .filter(other -> other != null && other.place != Place.LEFT)
                        .forEach(open::add);
            }
        }
        return true;
    }

    private int depthBelow(Set<Long> parents) {
        int depth = 0;
        for (long id : parents) {
            Node parent = nodes.get(id);
            depth = Math.max(depth, parent == null ? 0 : parent.depth + 1);
        }
        return depth;
    }
}
