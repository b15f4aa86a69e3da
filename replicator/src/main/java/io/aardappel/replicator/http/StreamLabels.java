package io.aardappel.replicator.http;

import java.util.List;

/**
 * The label of each configured stream, by its index.
 *
 * @param tags values of {@code stream_tag}; equal ones share a series
 */
public record StreamLabels(List<String> tags) {
    public StreamLabels {
        tags = List.copyOf(tags);
    }

    /** The tag of a stream. */
    String tag(int stream) {
        return tags.get(stream);
    }
}
