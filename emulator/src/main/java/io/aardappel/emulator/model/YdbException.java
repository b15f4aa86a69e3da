package io.aardappel.emulator.model;

import java.util.List;

/** A request that YDB answers with a status other than SUCCESS. The server turns it into that answer; it is never a bug. */
public final class YdbException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;
    private final transient List<Issue> issues;

    public YdbException(Status status, Issue issue) {
        this(status, List.of(issue));
    }

    public YdbException(Status status, String message) {
        this(status, List.of(Issue.of(message)));
    }

    public YdbException(Status status, List<Issue> issues) {
        super(status + ": " + issues, null, false, false);
        this.status = status;
        this.issues = List.copyOf(issues);
    }

    public Status status() {
        return status;
    }

    public List<Issue> issues() {
        return issues;
    }
}
