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
    /** Words of which one stands in the name of every right that lets its holder write rows, the general ones included. */
    private static final List<String> WRITING = List.of("full", "use", "write", "update_row", "modify_tables");

    static Permissions of(WhoAmIResult who) {
        Set<String> subjects = new HashSet<>(who.getGroupsList());
        if (!who.getUser().isEmpty()) {
            subjects.add(who.getUser());
        }
        return new Permissions(Set.copyOf(subjects));
    }

    /** A warning when rights are shown and none of ours lets us write. */
    Optional<Finding> toWrite(String path, Entry entry) {
        boolean owner = subjects.contains(entry.getOwner());
        boolean told = !subjects.isEmpty() && entry.getEffectivePermissionsCount() > 0;
        boolean granted = entry.getEffectivePermissionsList().stream()
                .filter(right -> subjects.contains(right.getSubject()))
                .flatMap(right -> right.getPermissionNamesList().stream())
                .anyMatch(Permissions::writes);
        return owner || granted || !told
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        path,
                        "none of the rights shown on the destination table lets " + subjects + " write rows",
                        "Grant the right to select, update and delete rows"));
    }

    private static boolean writes(String right) {
        return WRITING.stream().anyMatch(right::contains);
    }
}
