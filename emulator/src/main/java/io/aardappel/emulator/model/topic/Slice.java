package io.aardappel.emulator.model.topic;

import java.util.List;

/**
 * Neighbouring messages of a partition, the first at {@code offset}. Immutable in effect: later appends and cuts do not show.
 */
public record Slice(long offset, List<TopicMessage> messages) {
    public boolean isEmpty() {
        return messages.isEmpty();
    }
}
