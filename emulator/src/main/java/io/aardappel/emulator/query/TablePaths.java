package io.aardappel.emulator.query;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes names of tables and topics absolute, and keeps them. {@code PRAGMA TablePathPrefix} moves what relative names belong
 * to.
 */
final class TablePaths {
    private final String database;
    private final Set<String> named = new TreeSet<>();
    private String prefix;

    TablePaths(String database) {
        this.database = withoutSlash(database);
        this.prefix = this.database;
    }

    void prefix(String path) {
        String bare = withoutSlash(path);
        prefix = bare.startsWith("/") ? bare : database + (bare.isEmpty() ? "" : "/" + bare);
    }

    String absolute(String name) {
        String bare = withoutSlash(name);
        String path = bare.startsWith("/") ? bare : prefix + "/" + bare;
        named.add(path);
        return path;
    }

    /** All that were made absolute so far. */
    Set<String> named() {
        return Collections.unmodifiableSet(named);
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
