package io.aardappel.replicator.http;

import io.aardappel.program.http.Page;
import io.aardappel.program.http.PageServer;
import io.aardappel.replicator.engine.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * What {@code /metrics}, {@code /readyz}, {@code /livez} and {@code /status} are made of.
 *
 * @param liveBound a loop that has not turned for longer is not alive
 */
public record MonitoringPages(
        String instanceId,
        StreamLabels labels,
        Duration liveBound,
        Ticker ticker,
        StatusSource source,
        ReplicatorMetrics metrics) {

    /**
     * Binds and serves at once.
     *
     * @throws IOException when the address cannot be had
     */
    public PageServer serve(InetSocketAddress address) throws IOException {
        StatusPage status = new StatusPage(instanceId, labels);
        return new PageServer(
                address,
                List.of(
                        Page.of("/metrics", ReplicatorMetrics.CONTENT_TYPE, metrics::scrape),
                        Page.probe("/readyz", () -> Probes.ready(source.status())),
                        Page.probe("/livez", () -> Probes.live(source.sinceTurnMillis(), liveBound)),
                        Page.of(
                                "/status",
                                "application/json",
                                () -> status.render(source.status(), source.waitsFor(), ticker.wallMillis()))));
    }
}
