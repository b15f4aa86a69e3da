package io.aardappel.operator.health;

import io.aardappel.program.http.Page;
import io.aardappel.program.http.PageServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/** The pages {@code /livez}, which {@code /healthz} also names, {@code /readyz} and {@code /metrics}. */
public final class Pages {
    /**
     * Binds and serves at once.
     *
     * @param metricsType content type of what {@code metrics} gives
     * @throws IOException when the address cannot be had
     */
    public static PageServer serve(
            InetSocketAddress address, Vitals vitals, Supplier<String> metrics, String metricsType) throws IOException {
        return new PageServer(
                address,
                List.of(
                        Page.probe("/livez", () -> Probes.alive(vitals)),
                        Page.probe("/healthz", () -> Probes.alive(vitals)),
                        Page.probe("/readyz", () -> Probes.ready(vitals)),
                        Page.of("/metrics", metricsType, metrics)));
    }

    private Pages() {}
}
