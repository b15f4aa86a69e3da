package io.aardappel.emulator.model.topic;

/** Told of what happens to a topic, by whatever thread made it happen and possibly under locks: must return at once. */
public interface TopicListener {
    /** The partition has new messages. */
    void appended(Topic topic, int partition);

    /** A committed offset of the consumer changed otherwise than by the listener. */
    void committed(Topic topic, String consumer, int partition);

    /** Partitions or consumers came, went or changed, or old messages were cut off. */
    void reshaped(Topic topic);

    /** The topic is gone. */
    void dropped(Topic topic);
}
