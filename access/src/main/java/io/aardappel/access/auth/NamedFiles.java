package io.aardappel.access.auth;

import java.nio.file.Path;

/** Where the files are that credentials name by their paths. */
@FunctionalInterface
public interface NamedFiles {
    /**
     * One of them; whether it is there shows when it is read.
     *
     * @param where the place that names it
     * @throws java.nio.file.InvalidPathException when it is no path
     */
    Content at(String where, String path);

    /** Those of this machine. */
    static NamedFiles ofThisMachine() {
        return (where, path) -> Content.file(where, Path.of(path), "token file");
    }
}
