package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.topic.PartitionInfo;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.CommitOffsetResponse.PartitionCommittedOffset;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.EndPartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSessionStatusResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionRequest;

/** What a read stream says of a partition session, as messages that lack only their status. */
final class ReadMessages {
    private ReadMessages() {}

    /** Offers a partition. */
    static FromServer.Builder start(PartitionSession session, PartitionInfo partition) {
        StartPartitionSessionRequest.Builder request = StartPartitionSessionRequest.newBuilder()
                .setCommittedOffset(session.ranges.committed())
                .setPartitionOffsets(offsets(partition));
        request.getPartitionSessionBuilder()
                .setPartitionSessionId(session.id)
                .setPath(session.selection.path())
                .setPartitionId(partition.id());
        return FromServer.newBuilder().setStartPartitionSessionRequest(request);
    }

    static FromServer.Builder status(PartitionSession session, PartitionInfo partition) {
        return FromServer.newBuilder()
                .setPartitionSessionStatusResponse(PartitionSessionStatusResponse.newBuilder()
                        .setPartitionSessionId(session.id)
                        .setPartitionOffsets(offsets(partition))
                        .setCommittedOffset(session.ranges.committed())
                        .setWriteTimeHighWatermark(Times.timestamp(partition.lastWriteMillis())));
    }

    /** Asks for a partition back, or says that it is gone. */
    static FromServer.Builder stop(PartitionSession session, boolean graceful) {
        return FromServer.newBuilder()
                .setStopPartitionSessionRequest(StopPartitionSessionRequest.newBuilder()
                        .setPartitionSessionId(session.id)
                        .setGraceful(graceful)
                        .setCommittedOffset(session.ranges.committed()));
    }

    /** All of a partition that was split or merged was sent. */
    static FromServer.Builder end(PartitionSession session, PartitionInfo partition) {
        EndPartitionSession.Builder end = EndPartitionSession.newBuilder().setPartitionSessionId(session.id);
        for (int child : partition.children()) {
            end.addChildPartitionIds(child);
            for (int parent : session.topic().partition(child).parents()) {
                if (parent != partition.id()) {
                    end.addAdjacentPartitionIds(parent);
                }
            }
        }
        return FromServer.newBuilder().setEndPartitionSession(end);
    }

    static FromServer.Builder committed(PartitionSession session) {
        return FromServer.newBuilder()
                .setCommitOffsetResponse(CommitOffsetResponse.newBuilder()
                        .addPartitionsCommittedOffsets(PartitionCommittedOffset.newBuilder()
                                .setPartitionSessionId(session.id)
                                .setCommittedOffset(session.ranges.committed())));
    }

    private static OffsetsRange offsets(PartitionInfo partition) {
        return OffsetsRange.newBuilder()
                .setStart(partition.start())
                .setEnd(partition.end())
                .build();
    }
}
