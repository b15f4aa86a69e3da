package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionResponse;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A read stream as a test drives it: one message after the other, each expected by kind. */
final class ReadClient extends StreamClient<FromClient, FromServer> {
    ReadClient(TopicServiceGrpc.TopicServiceStub stub) {
        assertThat(stub.streamRead(this)).isNotNull();
    }

    ReadClient send(FromClient.Builder message) {
        push(message.build());
        return this;
    }

    ReadClient init(InitRequest.Builder init) {
        return send(FromClient.newBuilder().setInitRequest(init));
    }

    /** Reads whole topics for a consumer, and awaits the answer. */
    ReadClient open(String consumer, String... topics) {
        InitRequest.Builder init = InitRequest.newBuilder().setConsumer(consumer);
        for (String topic : topics) {
            init.addTopicsReadSettingsBuilder().setPath(topic);
        }
        init(init).next().getInitResponse();
        return this;
    }

    ReadClient credit(long bytes) {
        return send(
                FromClient.newBuilder().setReadRequest(ReadRequest.newBuilder().setBytesSize(bytes)));
    }

    ReadClient confirm(long session) {
        return send(FromClient.newBuilder()
                .setStartPartitionSessionResponse(
                        StartPartitionSessionResponse.newBuilder().setPartitionSessionId(session)));
    }

    ReadClient confirm(long session, long readOffset) {
        return send(FromClient.newBuilder()
                .setStartPartitionSessionResponse(StartPartitionSessionResponse.newBuilder()
                        .setPartitionSessionId(session)
                        .setReadOffset(readOffset)));
    }

    ReadClient commit(long session, long start, long end) {
        CommitOffsetRequest.Builder commit = CommitOffsetRequest.newBuilder();
        commit.addCommitOffsetsBuilder()
                .setPartitionSessionId(session)
                .addOffsets(OffsetsRange.newBuilder().setStart(start).setEnd(end));
        return send(FromClient.newBuilder().setCommitOffsetRequest(commit));
    }

    ReadClient release(long session) {
        return send(FromClient.newBuilder()
                .setStopPartitionSessionResponse(
                        StopPartitionSessionResponse.newBuilder().setPartitionSessionId(session)));
    }

    /** The next message of the server, which must be a success. */
    FromServer next() {
        Object message = poll();
        assertThat(message).isInstanceOf(FromServer.class);
        FromServer answer = (FromServer) message;
        assertThat(answer.getStatus()).as("%s", answer).isEqualTo(StatusCode.SUCCESS);
        return answer;
    }

    StartPartitionSessionRequest started() {
        FromServer message = next();
        assertThat(message.hasStartPartitionSessionRequest()).as("%s", message).isTrue();
        return message.getStartPartitionSessionRequest();
    }

    /** The id of the session that the server offers next. */
    long startedId() {
        return started().getPartitionSession().getPartitionSessionId();
    }

    ReadResponse data() {
        FromServer message = next();
        assertThat(message.hasReadResponse()).as("%s", message).isTrue();
        return message.getReadResponse();
    }

    StopPartitionSessionRequest stopRequested() {
        FromServer message = next();
        assertThat(message.hasStopPartitionSessionRequest()).as("%s", message).isTrue();
        return message.getStopPartitionSessionRequest();
    }

    /** The committed offset that the server reports next. */
    long committed() {
        FromServer message = next();
        assertThat(message.hasCommitOffsetResponse()).as("%s", message).isTrue();
        assertThat(message.getCommitOffsetResponse().getPartitionsCommittedOffsetsCount())
                .isEqualTo(1);
        return message.getCommitOffsetResponse()
                .getPartitionsCommittedOffsets(0)
                .getCommittedOffset();
    }

    /** Texts of the messages that come next, as many as wanted, over all batches. */
    List<String> texts(int count) {
        List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            data().getPartitionDataList().stream()
                    .flatMap(partition -> partition.getBatchesList().stream())
                    .flatMap(batch -> batch.getMessageDataList().stream())
                    .forEach(message -> texts.add(message.getData().toStringUtf8()));
        }
        return texts;
    }

    /** The stream ends with this status, the call itself with OK. */
    FromServer refused(StatusCode status) {
        Object message = poll();
        assertThat(message).isInstanceOf(FromServer.class);
        FromServer answer = (FromServer) message;
        assertThat(answer.getStatus()).as("%s", answer).isEqualTo(status);
        ended();
        return answer;
    }

    /** Nothing waits to be read once the server has handled all that was sent. */
    void silent() {
        send(FromClient.newBuilder()
                .setUpdateTokenRequest(tech.ydb.proto.topic.YdbTopic.UpdateTokenRequest.getDefaultInstance()));
        FromServer message = next();
        assertThat(message.hasUpdateTokenResponse())
                .as("nothing but %s", message)
                .isTrue();
    }
}
