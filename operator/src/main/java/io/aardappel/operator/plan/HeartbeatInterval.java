package io.aardappel.operator.plan;

import io.aardappel.crds.api.ReplicationSpec;
import java.time.Duration;
import java.util.Locale;

/** H, the longest that a partition may go without a heartbeat. */
public final class HeartbeatInterval {
    private static final Duration DEFAULT = Duration.ofSeconds(10);

    private HeartbeatInterval() {}

    /** That of a resource, or what it is when the resource says nothing; whole seconds. */
    public static Duration of(ReplicationSpec spec) {
        String interval = spec.heartbeat() == null ? null : spec.heartbeat().maxExpectedInterval();
        return interval == null ? DEFAULT : Duration.parse("PT" + interval.toUpperCase(Locale.ROOT));
    }
}
