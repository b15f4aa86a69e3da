package io.aardappel.operator.settings;

import java.util.List;

/** What came of reading the settings. */
public sealed interface Reading {
    /** All are in order. */
    record Accepted(OperatorSettings settings) implements Reading {}

    /**
     * Some are not.
     *
     * @param problems every one of them, each a sentence that names the setting and what may be written
     */
    record Refused(List<String> problems) implements Reading {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
