package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.topic.Topic;
import java.time.Duration;

/**
 * Faults of topics that take effect at once, by command. Each returns before its effect reaches the clients. Thread-safe.
 */
public final class TopicFaults {
    private final ReadLoop reads;

    TopicFaults(ReadLoop reads) {
        this.reads = reads;
    }

    /** Breaks the connections of all read streams of the topic. */
    public void cutReaders(Topic topic) {
        reads.execute(() -> reads.eachStream(topic, ReadStream::cut));
    }

    /** Takes a partition from whoever reads it, without asking, and gives it out again. */
    public void takeAndGiveBack(Topic topic, int partition) {
        reads.execute(() -> reads.sessionsOf(topic, partition).forEach(session -> session.stream.take(session)));
    }

    /** As if the partition's tablet moved to another node: its sessions are stopped without asking and begin anew. */
    public void move(Topic topic, int partition) {
        topic.move(partition);
        takeAndGiveBack(topic, partition);
    }

    /** The partition hands out nothing for so long, to anybody. */
    public void silence(Topic topic, int partition, Duration howLong) {
        reads.execute(() -> reads.silence(topic, partition, howLong));
    }

    /** Every stream that reads the topic now gets at most so many bytes a second for so long. */
    public void throttle(Topic topic, long bytesPerSecond, Duration howLong) {
        reads.execute(() -> reads.eachStream(topic, stream -> stream.throttle(bytesPerSecond, howLong)));
    }
}
