package io.aardappel.access.ydb;

import tech.ydb.core.Issue;
import tech.ydb.core.Status;

/** What a server answered, as one line for people. */
public final class StatusText {
    /** Servers nest issues a few deep; what is deeper comes from no server of sound mind. */
    private static final int DEEPEST = 8;

    private StatusText() {}

    /** The name of the status and the messages of its issues, from the outside in. */
    public static String of(Status status) {
        StringBuilder text = new StringBuilder(status.getCode().name());
        for (Issue issue : status.getIssues()) {
            append(text, issue, 0);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Issue issue, int depth) {
        String message = issue.getMessage();
        if (message != null && !message.isBlank()) {
            text.append(": ").append(message.strip().replaceAll("\\s+", " "));
        }
        if (depth == DEEPEST) {
            return;
        }
        for (Issue nested : issue.getIssues()) {
            append(text, nested, depth + 1);
        }
    }
}
