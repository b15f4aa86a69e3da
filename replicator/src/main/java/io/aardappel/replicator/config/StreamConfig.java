package io.aardappel.replicator.config;

/**
 * One changefeed and the table that it keeps.
 *
 * @param sourceTopic as written
 * @param sourceTopicPath absolute path in the source database
 * @param consumer of that topic, used by this replication alone
 * @param destinationTable as written
 * @param destinationTablePath absolute path in the destination database
 * @param continues whether records that no command speaks of are left out, instead of ending the process
 * @param monitoringTag value of the label {@code stream_tag}
 */
public record StreamConfig(
        String sourceTopic,
        String sourceTopicPath,
        String consumer,
        String destinationTable,
        String destinationTablePath,
        boolean continues,
        String monitoringTag) {}
