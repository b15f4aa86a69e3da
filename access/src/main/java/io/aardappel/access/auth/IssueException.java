package io.aardappel.access.auth;

/** Why there is no ticket. The message is for people and logs and never holds a secret; therefore there is no cause. */
public final class IssueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String remedy;
    private final boolean passing;

    private IssueException(String what, String remedy, boolean passing) {
        super(what);
        this.remedy = remedy;
        this.passing = passing;
    }

    /** The same request may fare better in a moment. */
    public static IssueException passing(String what, String remedy) {
        return new IssueException(what, remedy, true);
    }

    /** The same request will fare the same until a person does something. */
    public static IssueException lasting(String what, String remedy) {
        return new IssueException(what, remedy, false);
    }

    /** What happened. */
    public String what() {
        return String.valueOf(getMessage());
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    public boolean isPassing() {
        return passing;
    }

    /** The same with the object that it happened to in front. */
    IssueException about(String object) {
        return new IssueException(object + ": " + what(), remedy, passing);
    }
}
