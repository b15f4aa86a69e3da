package io.aardappel.operator.reconcile;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.operator.act.StateChanges;
import io.aardappel.operator.observe.StateBook;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.plan.StreamKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** State tables that say what a test tells them, and note what is done to them; also how each resource is. */
final class RecordedState implements StateBook, StateChanges, Standings {
    private final Map<String, StateSeen> states = new ConcurrentHashMap<>();
    private final Map<String, List<String>> calls = new ConcurrentHashMap<>();
    private final Map<String, String> standings = new ConcurrentHashMap<>();

    void says(String namespace, String name, StateSeen seen) {
        states.put(namespace + "/" + name, seen);
    }

    List<String> calls(String namespace) {
        return List.copyOf(calls.getOrDefault(namespace, List.of()));
    }

    private static String key(Replication resource) {
        return resource.getMetadata().getNamespace() + "/"
                + resource.getMetadata().getName();
    }

    /** The word of its last status, or gone; empty before the first. */
    String standing(String namespace, String name) {
        return standings.getOrDefault(namespace + "/" + name, "");
    }

    @Override
    public void now(Replication resource, ReplicationStatus status) {
        standings.put(key(resource), status.state());
    }

    @Override
    public void gone(Replication resource) {
        standings.put(key(resource), "gone");
    }

    @Override
    public StateSeen of(Replication resource) {
        return states.getOrDefault(key(resource), new StateSeen.Absent());
    }

    private void note(Replication resource, String call) {
        calls.compute(resource.getMetadata().getNamespace(), (namespace, noted) -> {
            List<String> all = noted == null ? new ArrayList<>() : new ArrayList<>(noted);
            all.add(call);
            return all;
        });
    }

    @Override
    public void clearFatal(Replication resource, String lastMessage) {
        note(resource, "clearFatal " + resource.getMetadata().getName());
        states.computeIfPresent(key(resource), (key, seen) -> {
            StateSeen.Row row = (StateSeen.Row) seen;
            return new StateSeen.Row(
                    row.step(),
                    row.txId(),
                    false,
                    row.stage(),
                    row.lastMessage(),
                    row.owner(),
                    row.held(),
                    row.movedAt(),
                    row.streams());
        });
    }

    @Override
    public void removeMembers(Replication resource, List<StreamKey> streams) {
        note(
                resource,
                "removeMembers " + resource.getMetadata().getName() + " "
                        + String.join(
                                ",", streams.stream().map(StreamKey::topic).toList()));
        states.computeIfPresent(key(resource), (key, seen) -> {
            StateSeen.Row row = (StateSeen.Row) seen;
            return new StateSeen.Row(
                    row.step(),
                    row.txId(),
                    row.fatal(),
                    row.stage(),
                    row.lastMessage(),
                    "",
                    false,
                    row.movedAt(),
                    row.streams().stream()
                            .filter(stream -> !streams.contains(stream.key()))
                            .toList());
        });
    }

    @Override
    public void deleteState(Replication resource) {
        note(resource, "deleteState " + resource.getMetadata().getName());
        states.remove(key(resource));
    }
}
