package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import java.util.List;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;

/** Status codes and issues as the protocol writes them. */
public final class StatusCodec {
    /** {@code NYql::TSeverityIds::S_ERROR}. */
    private static final int SEVERITY_ERROR = 1;

    /** {@code NYql::TSeverityIds::S_WARNING}. */
    private static final int SEVERITY_WARNING = 2;

    private StatusCodec() {}

    public static StatusCode encode(Status status) {
        StatusCode code = StatusCode.forNumber(status.code());
        if (code == null) {
            throw new IllegalStateException("the protocol has no status " + status);
        }
        return code;
    }

    public static List<IssueMessage> encode(List<Issue> issues) {
        return encode(issues, SEVERITY_ERROR);
    }

    /** Issues of something that succeeded. */
    public static List<IssueMessage> warnings(List<Issue> issues) {
        return encode(issues, SEVERITY_WARNING);
    }

    private static List<IssueMessage> encode(List<Issue> issues, int severity) {
        return issues.stream().map(issue -> encode(issue, severity)).toList();
    }

    private static IssueMessage encode(Issue issue, int severity) {
        IssueMessage.Builder message = IssueMessage.newBuilder()
                .setMessage(issue.message())
                .setIssueCode(issue.code())
                .setSeverity(severity)
                .addAllIssues(encode(issue.issues(), severity));
        if (issue.row() > 0) {
            IssueMessage.Position.Builder position =
                    IssueMessage.Position.newBuilder().setRow(issue.row()).setColumn(issue.column());
            message.setPosition(position).setEndPosition(position);
        }
        return message.build();
    }
}
