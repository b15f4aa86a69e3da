package io.aardappel.replicator.config;

/**
 * A database that paths must lie in.
 *
 * @param side {@code source} or {@code destination}
 */
record Inside(String side, Endpoint database) {
    static Inside source(Endpoint database) {
        return new Inside("source", database);
    }

    static Inside destination(Endpoint database) {
        return new Inside("destination", database);
    }

    /** The absolute path of what is written, which is complained of when it lies elsewhere. */
    String path(Section section, String key, String written, String kind) {
        String path = database.resolve(written);
        check(section, key, written, path, kind);
        return path;
    }

    /**
     * Complains of a path that lies elsewhere.
     *
     * @param kind what it should name, such as {@code a table}
     */
    void check(Section section, String key, String written, String path, String kind) {
        if (!database.contains(path)) {
            section.wrong(
                    key,
                    written,
                    "is outside the " + side + " database",
                    "name " + kind + " below " + database.database());
        }
    }
}
