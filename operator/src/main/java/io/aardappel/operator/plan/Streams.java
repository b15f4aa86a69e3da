package io.aardappel.operator.plan;

import io.aardappel.contract.Membership;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.crds.api.Stream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The streams that a resource names beside those that its checkpoint stands for. A stream that is new to an instance cannot just
 * run: the rows that its table had before are not in the destination.
 *
 * @param accepted those that may run, in the resource's order
 * @param added those that first need a migration
 * @param removed members that the resource names no more
 * @param rows of the instance, by stream; none when there are none or they could not be read
 */
record Streams(
        List<Stream> accepted,
        List<StreamKey> added,
        List<StreamKey> removed,
        Map<StreamKey, StateSeen.StreamSeen> rows) {
    private static final int WORST_MAX = 20;

    static Streams of(ReplicationSpec spec, StateSeen state) {
        List<Stream> wanted = spec.streams();
        List<StateSeen.StreamSeen> seen = state instanceof StateSeen.Row row ? row.streams() : List.of();
        Map<StreamKey, StateSeen.StreamSeen> rows = new LinkedHashMap<>();
        seen.forEach(stream -> rows.put(stream.key(), stream));
        if (rows.isEmpty()) {
            return new Streams(List.copyOf(wanted), List.of(), List.of(), rows);
        }
        List<Stream> accepted = new ArrayList<>();
        List<StreamKey> added = new ArrayList<>();
        List<StreamKey> names = new ArrayList<>();
        for (Stream stream : wanted) {
            StreamKey key = StreamKey.of(stream, spec.source());
            names.add(key);
            if (isMember(rows.get(key))) {
                accepted.add(stream);
            } else {
                added.add(key);
            }
        }
        List<StreamKey> removed = rows.values().stream()
                .filter(Streams::isMember)
                .map(StateSeen.StreamSeen::key)
                .filter(key -> !names.contains(key))
                .toList();
        return new Streams(accepted, added, removed, rows);
    }

    private static boolean isMember(StateSeen.@Nullable StreamSeen row) {
        return row != null && row.membership() == Membership.MEMBER;
    }

    /** The first that failed on its way in. */
    Optional<StateSeen.StreamSeen> failed() {
        return rows.values().stream()
                .filter(row -> row.membership() == Membership.FAILED)
                .findFirst();
    }

    private int count(Membership membership) {
        return (int) rows.values().stream()
                .filter(row -> row.membership() == membership)
                .count();
    }

    /** For the status. */
    ReplicationStatus.Streams told(int wanted) {
        List<ReplicationStatus.StreamState> worst = new ArrayList<>();
        rows.values().stream()
                .filter(row -> row.membership() == Membership.FAILED || row.membership() == Membership.JOINING)
                .forEach(row -> worst.add(new ReplicationStatus.StreamState(
                        row.key().topic(),
                        row.key().consumer(),
                        row.membership().word(),
                        Texts.cut(row.message()))));
        added.stream()
                .filter(key -> !rows.containsKey(key) || rows.get(key).membership() == Membership.REMOVED)
                .forEach(key -> worst.add(new ReplicationStatus.StreamState(
                        key.topic(), key.consumer(), "missing", "is no member yet: it needs a migration")));
        removed.forEach(key -> worst.add(new ReplicationStatus.StreamState(
                key.topic(), key.consumer(), "removed", "is a member that the resource names no more")));
        return new ReplicationStatus.Streams(
                count(Membership.MEMBER) + "/" + wanted,
                count(Membership.MEMBER),
                count(Membership.JOINING),
                count(Membership.FAILED),
                worst.isEmpty() ? null : List.copyOf(worst.subList(0, Math.min(WORST_MAX, worst.size()))));
    }
}
