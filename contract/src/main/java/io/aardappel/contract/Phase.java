package io.aardappel.contract;

import java.util.Locale;

/** Words of an instance row's {@code phase}: how far the initial scan has come. */
public enum Phase {
    /** Phase A: some live partition has had no barrier; M grows with what is applied. */
    SCAN,
    /** Phase B: every live partition has had one; M is frozen and the first cut above it ends the scan. */
    ALIGN,
    /** The scan is over. */
    RUN;

    /** As it stands in the row: lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @throws IllegalArgumentException for a word that none of these has
     */
    public static Phase ofWord(String word) {
        for (Phase phase : values()) {
            if (phase.word().equals(word)) {
                return phase;
            }
        }
        throw new IllegalArgumentException("unknown phase '" + word + "'");
    }
}
