package io.aardappel.emulator.grpc;

import com.google.protobuf.Message;
import java.util.List;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;

/** The result of a request that succeeded, with remarks on it. */
record Answer(Message result, List<IssueMessage> warnings) {}
