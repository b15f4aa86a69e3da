package io.aardappel.operator.plan;

import io.aardappel.contract.Membership;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.crds.api.Stream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The streams that a resource names beside those that its checkpoint stands for. A stream that is new to an instance cannot just
 * run: the rows that its table had before are not in the destination. Nor is a member just taken out, for it cannot be put back:
 * until somebody confirms that it is meant, it runs on as it was.
 *
 * @param accepted those that may run: in the resource's order, those that are kept where they were
 * @param added those that first need a migration
 * @param kept members that the resource names no more, or otherwise, and that nobody has confirmed to be taken out
 * @param removed members that are to be taken out
 * @param flaws what keeps those that are added from being read and written, as far as that is known
 * @param rows of the instance, by stream; none when there are none or they could not be read
 */
record Streams(
        List<Stream> accepted,
        List<StreamKey> added,
        List<Kept> kept,
        List<StreamKey> removed,
        Map<StreamKey, String> flaws,
        Map<StreamKey, StateSeen.StreamSeen> rows) {
    private static final int WORST_MAX = 20;

    /**
     * A member that stays as it was.
     *
     * @param as how it runs; empty where that is not known
     * @param edit of the resource that would take it out
     * @param flaw why what it was changed to could not run; empty where nothing is known of that
     * @param confirmed whether it goes once there is no flaw
     */
    record Kept(StreamKey key, Optional<Stream> as, Edit edit, String flaw, boolean confirmed) {}

    /**
     * The streams that a resource names and its instance does not have so, at most so many as are worth a look: in the resource's
     * order. None while the rows are not known, or there are none.
     */
    static List<Stream> strangers(ReplicationSpec spec, StateSeen state) {
        if (!(state instanceof StateSeen.Row row) || row.streams().isEmpty()) {
            return List.of();
        }
        Map<StreamKey, StateSeen.StreamSeen> rows = new HashMap<>();
        row.streams().forEach(stream -> rows.put(stream.key(), stream));
        return spec.streams().stream()
                .filter(stream -> {
                    StateSeen.StreamSeen known = rows.get(StreamKey.of(stream, spec.source()));
                    return !isMember(known) || isMoved(stream, known, spec);
                })
                .limit(WORST_MAX)
                .toList();
    }

    /** A row that says no table is of an earlier time. */
    private static boolean isMoved(Stream stream, StateSeen.@Nullable StreamSeen row, ReplicationSpec spec) {
        return row != null
                && !row.table().isEmpty()
                && !row.table().equals(StreamKey.table(stream.destinationTable(), spec.destination()));
    }

    static Streams of(Observed seen) {
        List<Stream> wanted = seen.resource().getSpec().streams();
        List<StateSeen.StreamSeen> members = seen.state() instanceof StateSeen.Row row ? row.streams() : List.of();
        return members.isEmpty()
                ? new Streams(List.copyOf(wanted), List.of(), List.of(), List.of(), Map.of(), Map.of())
                : new Sorting(seen, members).streams();
    }

    private static boolean isMember(StateSeen.@Nullable StreamSeen row) {
        return row != null && row.membership() == Membership.MEMBER;
    }

    /** Compares what is wanted to the rows. Used once. */
    private static final class Sorting {
        private final ReplicationSpec spec;
        private final Map<Stream, String> checks;
        private final Optional<Confirmation> confirmed;
        private final List<Stream> running;
        private final Map<StreamKey, StateSeen.StreamSeen> rows = new LinkedHashMap<>();
        private final Map<StreamKey, Integer> wanted = new LinkedHashMap<>();
        private final Map<StreamKey, Integer> places = new HashMap<>();
        private final List<Stream> accepted = new ArrayList<>();
        private final List<StreamKey> added = new ArrayList<>();
        private final Map<StreamKey, String> flaws = new LinkedHashMap<>();
        private final List<Kept> kept = new ArrayList<>();
        private final List<StreamKey> removed = new ArrayList<>();

        Sorting(Observed seen, List<StateSeen.StreamSeen> members) {
            spec = seen.resource().getSpec();
            checks = seen.checks();
            confirmed = Confirmation.open(seen);
            running = seen.workload().map(Observed.Workload::streams).orElse(List.of());
            members.forEach(stream -> rows.put(stream.key(), stream));
            for (int i = 0; i < spec.streams().size(); i++) {
                wanted.put(StreamKey.of(spec.streams().get(i), spec.source()), i);
            }
            for (int i = 0; i < running.size(); i++) {
                places.put(StreamKey.of(running.get(i), spec.source()), i);
            }
        }

        Streams streams() {
            wanted.forEach((key, index) -> {
                StateSeen.StreamSeen row = rows.get(key);
                Stream stream = spec.streams().get(index);
                if (row == null || !isMember(row)) {
                    added.add(key);
                    String flaw = checks.getOrDefault(stream, "");
                    if (!flaw.isEmpty()) {
                        flaws.put(key, flaw);
                    }
                } else if (!isMoved(stream, row, spec)) {
                    accepted.add(stream);
                } else if (isConfirmed(key) && flaw(stream).isEmpty()) {
                    removed.add(key);
                } else {
                    Stream as = asItWas(stream, row);
                    accepted.add(as);
                    kept.add(new Kept(
                            key,
                            Optional.of(as),
                            new Edit.Changed(
                                    index, "destinationTable", as.destinationTable(), stream.destinationTable()),
                            flaw(stream),
                            isConfirmed(key)));
                }
            });
            List<Kept> gone = new ArrayList<>();
            for (StateSeen.StreamSeen row : rows.values()) {
                if (!isMember(row) || wanted.containsKey(row.key())) {
                    continue;
                }
                Edit edit = edit(row);
                String flaw = edit instanceof Edit.Changed changed
                        ? flaw(spec.streams().get(changed.index()))
                        : "";
                if (isConfirmed(row.key()) && flaw.isEmpty()) {
                    removed.add(row.key());
                } else {
                    gone.add(new Kept(row.key(), definition(row), edit, flaw, isConfirmed(row.key())));
                }
            }
            gone.stream()
                    .sorted((one, other) -> Integer.compare(place(one), place(other)))
                    .forEach(this::keep);
            return new Streams(accepted, added, kept, removed, flaws, rows);
        }

        private boolean isConfirmed(StreamKey key) {
            return confirmed.filter(one -> one.names(key, spec.source())).isPresent();
        }

        private String flaw(Stream stream) {
            return checks.getOrDefault(stream, "the databases are being asked about it");
        }

        /** Where it was, so that the configuration is the same as before when nothing else has changed. */
        private void keep(Kept one) {
            one.as().ifPresent(stream -> accepted.add(Math.min(place(one), accepted.size()), stream));
            kept.add(one);
        }

        private int place(Kept one) {
            return places.getOrDefault(one.key(), Integer.MAX_VALUE);
        }

        private Stream asItWas(Stream stream, StateSeen.StreamSeen row) {
            String table = Optional.ofNullable(places.get(row.key()))
                    .map(place -> running.get(place).destinationTable())
                    .filter(written ->
                            StreamKey.table(written, spec.destination()).equals(row.table()))
                    .orElse(row.table());
            return new Stream(
                    stream.sourceTopic(), stream.consumer(), table, stream.problemStrategy(), stream.monitoringTag());
        }

        private Optional<Stream> definition(StateSeen.StreamSeen row) {
            Integer place = places.get(row.key());
            if (place != null) {
                return Optional.of(running.get(place));
            }
            return row.table().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Stream(row.key().topic(), row.key().consumer(), row.table(), null, null));
        }

        /** A stream that is new and has the same topic, or the same table, tells what somebody has changed. */
        private Edit edit(StateSeen.StreamSeen row) {
            StreamKey gone = row.key();
            for (StreamKey key : added) {
                if (key.topic().equals(gone.topic())) {
                    return new Edit.Changed(index(key), "consumer", gone.consumer(), key.consumer());
                }
            }
            for (StreamKey key : added) {
                Stream stream = spec.streams().get(index(key));
                if (key.consumer().equals(gone.consumer())
                        && StreamKey.table(stream.destinationTable(), spec.destination())
                                .equals(row.table())) {
                    return new Edit.Changed(index(key), "sourceTopic", gone.topic(), key.topic());
                }
            }
            return new Edit.Left();
        }

        private int index(StreamKey key) {
            return wanted.getOrDefault(key, 0);
        }
    }

    /** The first that failed on its way in. */
    Optional<StateSeen.StreamSeen> failed() {
        return rows.values().stream()
                .filter(row -> row.membership() == Membership.FAILED)
                .findFirst();
    }

    /** One that somebody has to say something about before one that is confirmed; one that was changed before one that was left out. */
    Optional<Kept> firstKept() {
        return kept.stream()
                .min(Comparator.comparing(Kept::confirmed).thenComparing(one -> !(one.edit() instanceof Edit.Changed)));
    }

    private int count(Membership membership) {
        return (int) rows.values().stream()
                .filter(row -> row.membership() == membership)
                .count();
    }

    /** For the status. */
    ReplicationStatus.Streams told(int wanted) {
        List<ReplicationStatus.StreamState> worst = new ArrayList<>();
        kept.forEach(one -> worst.add(state(
                one.key(),
                ReplicationStatus.KEPT,
                one.edit() instanceof Edit.Changed changed
                        ? "goes on as it was: its " + changed.field() + " was changed"
                        : "goes on as it was: the resource names it no more")));
        rows.values().stream()
                .filter(row -> row.membership() == Membership.FAILED || row.membership() == Membership.JOINING)
                .forEach(row -> worst.add(new ReplicationStatus.StreamState(
                        row.key().topic(),
                        row.key().consumer(),
                        row.membership().word(),
                        Texts.cut(row.message()))));
        added.stream()
                .filter(key -> !rows.containsKey(key) || rows.get(key).membership() == Membership.REMOVED)
                .forEach(key -> worst.add(state(
                        key,
                        "missing",
                        "is no member yet: StreamsAccepted says how it is brought in"
                                + (flaws.containsKey(key) ? "; " + flaws.get(key) : ""))));
        removed.forEach(key -> worst.add(state(key, "removed", "is being taken out of the members")));
        return new ReplicationStatus.Streams(
                count(Membership.MEMBER) + "/" + wanted,
                count(Membership.MEMBER),
                count(Membership.JOINING),
                count(Membership.FAILED),
                worst.isEmpty() ? null : List.copyOf(worst.subList(0, Math.min(WORST_MAX, worst.size()))));
    }

    private static ReplicationStatus.StreamState state(StreamKey key, String word, String message) {
        return new ReplicationStatus.StreamState(key.topic(), key.consumer(), word, Texts.cut(message));
    }
}
