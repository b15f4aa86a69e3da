package io.aardappel.emulator.model.topic;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The topics of one database by path. Thread-safe. */
public final class Topics implements TopicRegistry {
    /** Most partitions that a topic may be created with. */
    public static final int PARTITIONS_MAX = 20_000;

    private static final long FIRST_TABLET_ID = 72_075_186_224_100_000L;

    private static final long EXPIRY_MILLIS = 1_000;

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final AtomicLong nextTabletId = new AtomicLong(FIRST_TABLET_ID);
    private volatile long lastExpiryMillis;

    /** The topic at an absolute path; SCHEME_ERROR when there is none. */
    public Topic get(String path) {
        Topic topic = topics.get(path);
        if (topic == null) {
            throw new YdbException(
                    Status.SCHEME_ERROR,
                    Issue.of(Issue.SCHEME, "path '%s' is no topic or does not exist".formatted(path)));
        }
        return topic;
    }

    /** The topic at an absolute path, null when there is none. */
    public @Nullable Topic find(String path) {
        return topics.get(path);
    }

    /** All topics, those of changefeeds too. */
    public Collection<Topic> all() {
        return List.copyOf(topics.values());
    }

    @Override
    public void create(TopicSpec spec, VirtualTimestamp created) {
        if (spec.minActivePartitions() < 1 || spec.minActivePartitions() > PARTITIONS_MAX) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "topic %s: the number of partitions must lie between 1 and %d, was %d"
                            .formatted(spec.path(), PARTITIONS_MAX, spec.minActivePartitions()));
        }
        topics.put(spec.path(), new Topic(checkedConsumers(spec), created, false, nextTabletId::getAndIncrement));
    }

    @Override
    public void alter(String path, List<TopicSpec.Change> changes) {
        get(path).alter(changes);
    }

    @Override
    public void drop(String path) {
        Topic topic = get(path);
        if (topic.isFeed()) {
            throw new YdbException(
                    Status.SCHEME_ERROR,
                    Issue.of(Issue.SCHEME, "%s belongs to a changefeed: drop the changefeed instead".formatted(path)));
        }
        remove(path);
    }

    @Override
    public FeedTopic createFeedTopic(FeedTopicSpec feed, VirtualTimestamp created) {
        TopicSpec spec = new TopicSpec(
                feed.path(),
                feed.partitions(),
                feed.maxPartitions(),
                feed.autoPartitioning(),
                feed.retention(),
                List.of(1),
                List.of(),
                Map.of());
        Topic topic = new Topic(spec, created, true, nextTabletId::getAndIncrement);
        topics.put(feed.path(), topic);
        return topic;
    }

    @Override
    public void dropFeedTopic(String path) {
        remove(path);
    }

    /**
     * Forgets what is older than its topic's retention, about once a second, and lets faults strike. To be called again and again.
     *
     * @param nowMillis the clock by which messages are stamped
     */
    public void upkeep(long nowMillis, Hazards hazards) {
        boolean expire = nowMillis - lastExpiryMillis >= EXPIRY_MILLIS || nowMillis < lastExpiryMillis;
        for (Topic topic : topics.values()) {
            if (topic.hasMessages()) {
                strike(topic, nowMillis, hazards);
                if (expire) {
                    topic.expire(nowMillis);
                }
            }
        }
        if (expire) {
            lastExpiryMillis = nowMillis;
        }
    }

    private static void strike(Topic topic, long nowMillis, Hazards hazards) {
        Strike cut = hazards.strike(Fault.RETENTION_CUT, topic.path(), -1);
        if (cut != null) {
            topic.cutOldest(cut.amount());
        }
        if (hazards.strike(Fault.TOPIC_RECREATED, topic.path(), -1) != null) {
            topic.recreate(
                    new VirtualTimestamp(Math.max(nowMillis, topic.created().step() + 1), 1));
        }
    }

    private void remove(String path) {
        Topic topic = topics.remove(path);
        if (topic != null) {
            topic.drop();
        }
    }

    private static TopicSpec checkedConsumers(TopicSpec spec) {
        TopicAlteration check = new TopicAlteration(
                new TopicSpec(
                        spec.path(),
                        spec.minActivePartitions(),
                        spec.maxActivePartitions(),
                        spec.autoPartitioning(),
                        spec.retention(),
                        spec.codecs(),
                        List.of(),
                        spec.attributes(),
                        spec.tuning()),
                false);
        spec.consumers().forEach(consumer -> check.add(new TopicSpec.Change.AddConsumer(consumer)));
        return check.result();
    }
}
