package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.InitResponse;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteResponse;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A write stream as a test drives it. */
final class WriteClient extends StreamClient<FromClient, FromServer> {
    WriteClient(TopicServiceGrpc.TopicServiceStub stub) {
        assertThat(stub.streamWrite(this)).isNotNull();
    }

    WriteClient send(FromClient.Builder message) {
        push(message.build());
        return this;
    }

    WriteClient init(InitRequest.Builder init) {
        return send(FromClient.newBuilder().setInitRequest(init));
    }

    /** Opens the session of a producer and awaits the answer. */
    InitResponse open(String topic, String producer) {
        init(InitRequest.newBuilder().setPath(topic).setProducerId(producer));
        return next().getInitResponse();
    }

    /** Messages of neighbouring sequence numbers, the number as text. */
    static WriteRequest.Builder messages(long from, long to) {
        WriteRequest.Builder request = WriteRequest.newBuilder().setCodec(1);
        for (long seqNo = from; seqNo < to; seqNo++) {
            request.addMessagesBuilder().setSeqNo(seqNo).setData(ByteString.copyFromUtf8("s" + seqNo));
        }
        return request;
    }

    WriteClient write(WriteRequest.Builder request) {
        return send(FromClient.newBuilder().setWriteRequest(request));
    }

    FromServer next() {
        Object message = poll();
        assertThat(message).isInstanceOf(FromServer.class);
        FromServer answer = (FromServer) message;
        assertThat(answer.getStatus()).as("%s", answer).isEqualTo(StatusCode.SUCCESS);
        return answer;
    }

    WriteResponse written() {
        FromServer message = next();
        assertThat(message.hasWriteResponse()).as("%s", message).isTrue();
        return message.getWriteResponse();
    }

    /** The stream ends with this status, the call itself with OK. */
    FromServer refused(StatusCode status) {
        FromServer answer = (FromServer) poll();
        assertThat(answer.getStatus()).as("%s", answer).isEqualTo(status);
        ended();
        return answer;
    }
}
