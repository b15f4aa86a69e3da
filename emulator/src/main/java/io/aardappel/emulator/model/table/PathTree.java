package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The paths of one database and what stands at each. The database's lock guards it. */
final class PathTree {
    private static final String OWNER = "root@builtin";

    private final String root;
    private final Limits limits;
    private final TreeMap<String, SchemeEntry> entries = new TreeMap<>();

    PathTree(String root, Limits limits, VirtualTimestamp created) {
        this.root = root;
        this.limits = limits;
        entries.put(root, new SchemeEntry(root, nameOf(root), SchemeEntry.Kind.DATABASE, OWNER, created));
    }

    @Nullable
    SchemeEntry find(String path) {
        return entries.get(path);
    }

    /** SCHEME_ERROR when nothing stands there. */
    SchemeEntry require(String path) {
        SchemeEntry entry = entries.get(path);
        if (entry == null) {
            throw new YdbException(Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, "Path not found: " + path));
        }
        return entry;
    }

    SchemeEntry require(String path, SchemeEntry.Kind kind) {
        SchemeEntry entry = require(path);
        if (entry.kind() != kind) {
            throw new YdbException(
                    Status.SCHEME_ERROR,
                    Issue.of(
                            Issue.SCHEME,
                            "Path is not a " + kind.name().toLowerCase(java.util.Locale.ROOT) + ": " + path));
        }
        return entry;
    }

    List<SchemeEntry> children(String path) {
        List<SchemeEntry> found = new ArrayList<>();
        String prefix = path + "/";
        // '0' follows '/': the map's part between them holds all that lies below the path.
        for (Map.Entry<String, SchemeEntry> entry :
                entries.subMap(prefix, path + "0").entrySet()) {
            if (entry.getKey().indexOf('/', prefix.length()) < 0) {
                found.add(entry.getValue());
            }
        }
        return found;
    }

    /** Refuses a path at which nothing can be created: outside, taken, below a table, too deep or too long. */
    void checkFree(String path, boolean parentIsTable) {
        if (!path.startsWith(root + "/") || path.endsWith("/") || path.contains("//")) {
            throw refused("Path is not in database " + root + ": " + path);
        }
        if (entries.containsKey(path)) {
            throw refused("Check failed: path: '" + path + "', error: path exist, request accepts it");
        }
        checkShape(path);
        if (!parentIsTable) {
            checkParents(path);
        }
    }

    void add(String path, SchemeEntry.Kind kind, VirtualTimestamp created) {
        String parent = parentOf(path);
        if (!entries.containsKey(parent)) {
            add(parent, SchemeEntry.Kind.DIRECTORY, created);
        }
        entries.put(path, new SchemeEntry(path, nameOf(path), kind, OWNER, created));
    }

    void remove(String path) {
        entries.remove(path);
    }

    private void checkShape(String path) {
        String[] names = path.substring(root.length() + 1).split("/", -1);
        if (names.length > limits.pathDepth()) {
            throw refused("Check failed: path: '" + path + "', error: paths depth limit exceeded, limit: "
                    + limits.pathDepth());
        }
        for (String name : names) {
            if (name.length() > limits.nameLength()) {
                throw refused("Check failed: path: '" + path + "', error: path part is too long, limit: "
                        + limits.nameLength());
            }
        }
    }

    private void checkParents(String path) {
        String parent = parentOf(path);
        SchemeEntry entry = entries.get(parent);
        if (entry == null) {
            checkParents(parent);
            return;
        }
        if (entry.kind() != SchemeEntry.Kind.DIRECTORY && entry.kind() != SchemeEntry.Kind.DATABASE) {
            throw refused("Check failed: path: '" + parent + "', error: path is not a directory");
        }
        if (children(parent).size() >= limits.directoryEntries()) {
            throw refused("Check failed: path: '" + parent + "', error: children limit exceeded, limit: "
                    + limits.directoryEntries());
        }
    }

    private static YdbException refused(String message) {
        return new YdbException(Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, message));
    }

    private static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
