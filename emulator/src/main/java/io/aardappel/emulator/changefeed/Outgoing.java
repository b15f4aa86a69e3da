package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.math.BigInteger;
import java.util.Map;

/** What a shard sends to the feed's topic, in this order. */
sealed interface Outgoing {
    /** A change of one key, for the partition of the key's hash. */
    record Change(
            BigInteger keyHash,
            VirtualTimestamp timestamp,
            long createdAtMillis,
            Map<String, byte[]> metadata,
            byte[] data)
            implements Outgoing {}

    /** The shard has sent all its changes below {@code (step, 0)}. */
    record Heartbeat(long step) implements Outgoing {}

    /** A record for every partition. */
    record Announcement(long createdAtMillis, byte[] data) implements Outgoing {}
}
