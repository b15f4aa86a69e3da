package io.aardappel.operator.plan;

/**
 * What a condition is to say.
 *
 * @param status True, False or Unknown
 * @param message for a person, not empty
 */
record Verdict(Status status, Reason reason, String message) {
    /** Of a condition. */
    enum Status {
        TRUE("True"),
        FALSE("False"),
        UNKNOWN("Unknown");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static Verdict yes(Reason reason, String message) {
        return new Verdict(Status.TRUE, reason, message);
    }

    static Verdict no(Reason reason, String message) {
        return new Verdict(Status.FALSE, reason, message);
    }

    static Verdict unknown(Reason reason, String message) {
        return new Verdict(Status.UNKNOWN, reason, message);
    }

    boolean isTrue() {
        return status == Status.TRUE;
    }
}
