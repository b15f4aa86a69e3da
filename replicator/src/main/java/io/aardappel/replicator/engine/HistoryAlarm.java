package io.aardappel.replicator.engine;

import io.aardappel.replicator.engine.EngineStatus.History;
import io.aardappel.replicator.engine.EngineStatus.StreamStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that a topic is about to forget what is not committed, once a minute while that is so, and when it is so no
 * more. Belongs to the engine's thread; times are wall-clock milliseconds.
 */
final class HistoryAlarm {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryAlarm.class);

    private static final long REPEAT_MILLIS = 60_000;

    private final Map<String, Long> toldAt = new HashMap<>();

    void look(List<StreamStatus> streams, long now) {
        streams.forEach(stream -> stream.history().ifPresent(history -> look(stream, history, now)));
    }

    private void look(StreamStatus stream, History history, long now) {
        long left = history.lostAt() - now;
        Long told = toldAt.get(stream.topic());
        if (left >= history.retentionMillis() / EngineSettings.HISTORY_LITTLE) {
            if (told != null) {
                toldAt.remove(stream.topic());
                LOG.atWarn() // whoever was warned hears of the end as well
                        .setMessage("history does not run out any more")
                        .addKeyValue("stream", stream.topic())
                        .addKeyValue("seconds_left", left / 1_000)
                        .log();
            }
        } else if (told == null || now - told >= REPEAT_MILLIS || now < told) {
            toldAt.put(stream.topic(), now);
            warn(stream, history, left);
        }
    }

    private static void warn(StreamStatus stream, History history, long left) {
        LOG.atWarn()
                .setMessage("history runs out")
                .addKeyValue("stream", stream.topic())
                .addKeyValue("consumer", stream.consumer())
                .addKeyValue("partition", history.partition())
                .addKeyValue("seconds_left", Math.max(0, left) / 1_000)
                .addKeyValue("retention_seconds", history.retentionMillis() / 1_000)
                .addKeyValue(
                        "text",
                        "the topic soon forgets what is not committed, which ends the replication with HISTORY_LOST: raise the"
                                + " retention period of the feed's topic, or see to what keeps the replication back")
                .log();
    }
}
