package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.grpc.Databases;
import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.topic.Topic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;

/** A read session's first request, checked. */
record ReadInit(String sessionId, List<TopicSelection> selections) {
    private static final AtomicLong COOKIES = new AtomicLong();

    /** Refuses what YDB refuses, with its status. */
    static ReadInit check(InitRequest request, Databases databases) {
        if (request.getTopicsReadSettingsCount() == 0) {
            throw bad("no topics in init request");
        }
        if (request.getDirectRead()) {
            throw new YdbException(Status.UNSUPPORTED, "direct_read is not supported: read without it");
        }
        String consumer = request.getConsumer();
        List<TopicSelection> selections = new ArrayList<>();
        for (InitRequest.TopicReadSettings settings : request.getTopicsReadSettingsList()) {
            selections.add(selection(settings, consumer, databases));
        }
        String id = "%s_1_%d_%s_v1"
                .formatted(
                        consumer,
                        COOKIES.incrementAndGet(),
                        Long.toUnsignedString(ThreadLocalRandom.current().nextLong()));
        return new ReadInit(id, selections);
    }

    private static TopicSelection selection(
            InitRequest.TopicReadSettings settings, String consumer, Databases databases) {
        if (settings.getPath().isEmpty()) {
            throw bad("empty topic in init request");
        }
        Tenant tenant = databases.ofCall(settings.getPath());
        Topic topic = tenant.topics().get(tenant.absolute(settings.getPath()));
        if (consumer.isEmpty()) {
            if (settings.getPartitionIdsCount() == 0) {
                throw bad("explicitly specify the partitions when reading without a consumer: topic " + topic.path());
            }
        } else if (!topic.hasConsumer(consumer)) {
            throw bad("no read rule provided for consumer '%s' in topic '%s'".formatted(consumer, topic.path()));
        }
        Set<Integer> partitions = new HashSet<>();
        for (long partition : settings.getPartitionIdsList()) {
            if (!topic.hasPartition(partition)) {
                throw bad("topic %s has no partition %d".formatted(topic.path(), partition));
            }
            partitions.add((int) partition);
        }
        long maxLag =
                settings.hasMaxLag() ? Times.duration(settings.getMaxLag()).toMillis() : 0;
        long readFrom = settings.hasReadFrom() ? Times.millis(settings.getReadFrom()) : 0;
        if (maxLag < 0 || readFrom < 0) {
            throw bad("max_lag and read_from of topic %s must not be negative".formatted(topic.path()));
        }
        String relative = topic.path().substring(tenant.path().length() + 1);
        return new TopicSelection(topic, relative, partitions, maxLag, readFrom);
    }

    private static YdbException bad(String message) {
        return new YdbException(Status.BAD_REQUEST, message);
    }
}
