package io.aardappel.operator.plan;

import io.aardappel.crds.api.Stream;

/** By which a stream is known: the topic's path as it was written, and the consumer. */
public record StreamKey(String topic, String consumer) {
    /** Of a stream of a resource. */
    public static StreamKey of(Stream stream) {
        return new StreamKey(stream.sourceTopic(), stream.consumer());
    }

    @Override
    public String toString() {
        return topic + " (consumer " + consumer + ")";
    }
}
