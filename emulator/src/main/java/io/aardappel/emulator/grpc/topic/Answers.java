package io.aardappel.emulator.grpc.topic;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;

/** Statuses, issues and operations in the protocol's shape. */
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    static StatusCode code(Status status) {
        return StatusCode.forNumber(status.code());
    }

    static List<IssueMessage> issues(List<Issue> issues) {
        return issues.stream().map(Answers::issue).toList();
    }

    private static IssueMessage issue(Issue issue) {
        return IssueMessage.newBuilder()
                .setMessage(issue.message())
                .setIssueCode(issue.code())
                .setSeverity(1)
                .addAllIssues(issues(issue.issues()))
                .build();
    }

    /** A finished operation with what the action answers, or with the status it threw. */
    static Operation operation(Supplier<? extends Message> action) {
        Operation.Builder operation = Operation.newBuilder().setReady(true);
        try {
            return operation
                    .setStatus(StatusCode.SUCCESS)
                    .setResult(Any.pack(action.get()))
                    .build();
        } catch (YdbException e) {
            return operation
                    .setStatus(code(e.status()))
                    .addAllIssues(issues(e.issues()))
                    .build();
        } catch (RuntimeException e) {
            LOG.error("a topic request failed", e);
            return operation
                    .setStatus(StatusCode.INTERNAL_ERROR)
                    .addAllIssues(issues(List.of(Issue.of(e.toString()))))
                    .build();
        }
    }
}
