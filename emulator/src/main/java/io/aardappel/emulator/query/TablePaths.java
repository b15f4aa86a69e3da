package io.aardappel.emulator.query;

/** Makes names of tables and topics absolute. {@code PRAGMA TablePathPrefix} moves what relative names belong to. */
final class TablePaths {
    private final String database;
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
        return bare.startsWith("/") ? bare : prefix + "/" + bare;
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
