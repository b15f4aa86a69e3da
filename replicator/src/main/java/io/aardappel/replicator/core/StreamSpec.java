package io.aardappel.replicator.core;

/**
 * One configured stream. Its index in the configured list is its number everywhere else.
 *
 * @param topic path of the changefeed's topic, as configured; with the consumer it is the stream's identity in our rows
 * @param consumer of that topic, used by this replication alone
 * @param table full path of the destination table, as configured
 */
public record StreamSpec(String topic, String consumer, String table) {
    @Override
    public String toString() {
        return topic;
    }
}
