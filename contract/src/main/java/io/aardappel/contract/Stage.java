package io.aardappel.contract;

/** Words of the state row's {@code stage}, as they stand there. */
public enum Stage {
    /** Rows are applied as they come; the tables are no snapshot yet. */
    INITIAL_SCAN,
    /** Each transaction leaves the tables as the source was at its checkpoint. */
    RUN;

    /** The Go program takes every word but {@code INITIAL_SCAN} for {@code RUN}, and so do we. */
    public static Stage ofWord(String word) {
        return word.equals(INITIAL_SCAN.name()) ? INITIAL_SCAN : RUN;
    }
}
