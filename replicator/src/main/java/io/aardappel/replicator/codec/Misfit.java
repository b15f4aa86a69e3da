package io.aardappel.replicator.codec;

/** Why a JSON value cannot become a cell; returned by readers of values in the cell's place. */
enum Misfit {
    WRONG_KIND("%s is no value of %s"),
    OUT_OF_RANGE("%s is outside the range of %s"),
    MALFORMED("%s is not spelled as the feed spells %s"),
    INEXACT("%s has more digits than %s keeps"),
    NULL_REFUSED("%s came, but the column is %s NOT NULL"),
    NOT_CONVERTIBLE("%s: no value of a changefeed converts to %s");

    private final String pattern;

    Misfit(String pattern) {
        this.pattern = pattern;
    }

    /** In words, without the value: it may be a secret of the table's owner. */
    String describe(String source, YdbType destination) {
        return pattern.formatted(source, destination);
    }
}
