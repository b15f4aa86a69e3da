package io.aardappel.replicator.ydb.preflight;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;

/**
 * What can be seen of our rights. The server has the last word; where it shows nothing, nothing is said.
 *
 * @param subjects our user and our groups, empty when the server does not tell
 */
record Permissions(Set<String> subjects) {
    /** Words of which one stands in the name of every right that lets its holder do it, the general ones included. */
    private static final List<String> WRITING = List.of("full", "use", "write", "update_row", "modify_tables");

    private static final List<String> READING = List.of("full", "use", "read", "select");

    static Permissions of(WhoAmIResult who) {
        Set<String> subjects = new HashSet<>(who.getGroupsList());
        if (!who.getUser().isEmpty()) {
            subjects.add(who.getUser());
        }
        return new Permissions(Set.copyOf(subjects));
    }

    /** A warning when rights are shown and none of ours lets us write to the object. */
    Optional<Finding> toWrite(String path, String kind, Entry entry) {
        return to("write to it", WRITING, path, kind, entry);
    }

    /** A warning when rights are shown and none of ours lets us read the object. */
    Optional<Finding> toRead(String path, String kind, Entry entry) {
        return to("read it", READING, path, kind, entry);
    }

    private Optional<Finding> to(String act, List<String> words, String path, String kind, Entry entry) {
        boolean owner = subjects.contains(entry.getOwner());
        boolean told = !subjects.isEmpty() && entry.getEffectivePermissionsCount() > 0;
        boolean granted = entry.getEffectivePermissionsList().stream()
                .filter(right -> subjects.contains(right.getSubject()))
                .flatMap(right -> right.getPermissionNamesList().stream())
                .anyMatch(right -> words.stream().anyMatch(right::contains));
        return owner || granted || !told
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        path,
                        "none of the rights shown on " + kind + " lets " + subjects + " " + act,
                        "Grant the right to " + act));
    }
}
