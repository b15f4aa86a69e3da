package io.aardappel.operator.app;

import io.aardappel.operator.reconcile.RetryAfter;
import io.aardappel.program.Version;
import io.aardappel.program.stop.StopRequest;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What the program takes from where it runs; tests hand it something else.
 *
 * @param environment of the process
 * @param cluster connects to the API server, and lets every request pass the interceptor; what it gives is closed by the
 *     program; throws {@link ClusterAccess.NoClusterException} where there is none to connect to
 * @param databases made for a client of the cluster, and for what the operator calls itself
 * @param stop by which the program is asked to stop
 */
public record Seams(
        Map<String, String> environment,
        Function<Interceptor, KubernetesClient> cluster,
        BiFunction<KubernetesClient, String, Databases> databases,
        StopRequest stop) {
    private static final int REQUESTS_AT_ONCE = 64;
    private static final String INTERCEPTOR = "aardappel-metrics";

    public Seams {
        environment = Map.copyOf(environment);
    }

    /** Those of a process: its environment, and the cluster of its pod or of its kubeconfig. */
    static Seams ofProcess(StopRequest stop) {
        Map<String, String> environment = System.getenv();
        return new Seams(environment, interceptor -> connect(environment, interceptor), DatabaseAccess::of, stop);
    }

    private static KubernetesClient connect(Map<String, String> environment, Interceptor interceptor) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(ClusterAccess.configuration(environment))
                        .withUserAgent("aardappel-operator/" + Version.of(Seams.class))
                        .withMaxConcurrentRequests(REQUESTS_AT_ONCE)
                        .withMaxConcurrentRequestsPerHost(REQUESTS_AT_ONCE)
                        .build())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(INTERCEPTOR, interceptor)
                        .addOrReplaceInterceptor(RetryAfter.NAME, new RetryAfter()))
                .build();
    }
}
