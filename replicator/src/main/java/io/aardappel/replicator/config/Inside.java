package io.aardappel.replicator.config;

import io.aardappel.contract.PathText;
import io.aardappel.contract.TableName;
import java.util.Optional;

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

    /** The absolute path of the topic that is written; complained of when it is none, or lies elsewhere. */
    String topic(Section section, String key, String written) {
        return path(section, key, written, written, "a topic");
    }

    /** The absolute path of the table that is written, within back-quotes or not; complained of alike. */
    String table(Section section, String key, String written) {
        return path(section, key, written, TableName.unquoted(written), "a table");
    }

    private String path(Section section, String key, String written, String bare, String kind) {
        String path = database.resolve(bare);
        Optional<String> fault = PathText.fault(bare);
        if (fault.isPresent()) {
            section.wrong(
                    key,
                    written,
                    fault.get(),
                    "name " + kind + " by its path, absolute or relative to " + database.database());
        } else if (!database.contains(path)) {
            section.wrong(
                    key,
                    written,
                    "is outside the " + side + " database",
                    "name " + kind + " below " + database.database());
        }
        return path;
    }
}
