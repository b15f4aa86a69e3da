package io.aardappel.access.ydb;

import io.aardappel.access.failure.Cause;
import java.util.regex.Pattern;
import tech.ydb.core.Issue;
import tech.ydb.core.Status;

/** What a server answered, as one line for people. */
public final class StatusText {
    /** Servers nest issues a few deep; what is deeper comes from no server of sound mind. */
    private static final int DEEPEST = 8;

    private StatusText() {}

    /** What the library adds about its connection, in brackets within brackets, and no server says. */
    private static final Pattern INNARDS = Pattern.compile(
            "\\s*\\[+(?:closed=|open=|remote_addr=|buffered_nanos=|waiting_for_connection|wait_for_ready).*\\]");

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
            text.append(": ")
                    .append(Cause.plain(INNARDS.matcher(message.strip().replaceAll("\\s+", " "))
                            .replaceAll("")));
        }
        if (depth == DEEPEST) {
            return;
        }
        for (Issue nested : issue.getIssues()) {
            append(text, nested, depth + 1);
        }
    }
}
