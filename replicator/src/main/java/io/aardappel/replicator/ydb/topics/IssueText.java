package io.aardappel.replicator.ydb.topics;

import java.util.List;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;

/** A server's issues as one line for people. */
final class IssueText {
    private static final int DEEPEST = 8;

    private IssueText() {}

    static String of(String status, List<IssueMessage> issues) {
        StringBuilder text = new StringBuilder(status);
        append(text, issues, 0);
        return text.toString();
    }

    private static void append(StringBuilder text, List<IssueMessage> issues, int depth) {
        for (IssueMessage issue : issues) {
            if (!issue.getMessage().isBlank()) {
                text.append(": ").append(issue.getMessage().strip().replaceAll("\\s+", " "));
            }
            if (depth < DEEPEST) {
                append(text, issue.getIssuesList(), depth + 1);
            }
        }
    }
}
