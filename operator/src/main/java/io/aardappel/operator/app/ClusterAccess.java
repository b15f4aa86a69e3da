package io.aardappel.operator.app;

import io.aardappel.access.failure.Cause;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.io.File;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** By what the operator comes to its cluster, and what to say where it does not. Stateless. */
final class ClusterAccess {
    private static final String KUBECONFIG = "KUBECONFIG";
    private static final String POD = "KUBERNETES_SERVICE_HOST";
    private static final String ADDRESS = "KUBERNETES_MASTER";

    /** Of a client that somebody at a terminal may wait for; it is twice as long by default. */
    private static final int CONNECT_TIMEOUT_MS = 5_000;

    private static final int ANSWER_TIMEOUT_MS = 5_000;
    private static final int RETRIES_MAX = 1;

    private ClusterAccess() {}

    /** No cluster is named, or one that is not. The message says what is wrong, and the remedy. */
    static final class NoClusterException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoClusterException(String message) {
            super(message);
        }
    }

    /**
     * What the client is to be made from: the kubeconfig's current context, or the pod's ServiceAccount where there is
     * no kubeconfig. Talks to nobody.
     *
     * @param environment of the process
     * @throws NoClusterException when neither is there, or the kubeconfig cannot be used
     */
    static Config configuration(Map<String, String> environment) {
        List<Path> files = kubeconfigs(environment);
        boolean kubeconfig = files.stream().anyMatch(Files::isRegularFile);
        if (!kubeconfig) {
            needAnother(environment, files);
        }
        if (!kubeconfig) {
            return Config.autoConfigure(null);
        }
        Config config = read(files);
        needContext(config, files);
        config.setConnectionTimeout(CONNECT_TIMEOUT_MS);
        return config;
    }

    private static Config read(List<Path> files) {
        try {
            return Config.autoConfigure(null);
        } catch (RuntimeException broken) {
            // Its message would quote the file, a token perhaps.
            throw new NoClusterException("the kubeconfig " + names(files) + " cannot be read ("
                    + Cause.kind(broken)
                    + "). `kubectl config view` says where it is broken; correct it,"
                    + " or let " + KUBECONFIG + " name another one");
        }
    }

    private static List<Path> kubeconfigs(Map<String, String> environment) {
        String named = environment.getOrDefault(KUBECONFIG, "");
        if (named.isBlank()) {
            String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
            return List.of(Path.of(home, ".kube", "config"));
        }
        return Stream.of(named.split(File.pathSeparator, -1))
                .filter(one -> !one.isBlank())
                .map(Path::of)
                .toList();
    }

    private static String names(List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static void needAnother(Map<String, String> environment, List<Path> missing) {
        if (environment.containsKey(KUBECONFIG) && !environment.get(KUBECONFIG).isBlank()) {
            throw new NoClusterException(KUBECONFIG + " names " + names(missing)
                    + ", where no file is that this user may see. Let it name the kubeconfig of the cluster; unset it to"
                    + " take ~/.kube/config, or the ServiceAccount of the operator's pod");
        }
        if (!environment.containsKey(POD) && !environment.containsKey(ADDRESS)) {
            throw new NoClusterException("no cluster is named: " + KUBECONFIG + " is not set, there is no "
                    + names(missing) + ", and this is no pod, which would have a ServiceAccount. Let " + KUBECONFIG
                    + " name the kubeconfig of the cluster");
        }
    }

    private static void needContext(Config config, List<Path> files) {
        if (config.getCurrentContext() == null) {
            List<String> contexts =
                    config.getContexts().stream().map(one -> one.getName()).toList();
            throw new NoClusterException("the kubeconfig " + names(files) + " has no current context; it has the"
                    + " contexts " + contexts + ". Choose one by `kubectl config use-context NAME`");
        }
        if (config.getFileWithCluster() == null) {
            throw new NoClusterException(
                    "the context " + config.getCurrentContext().getName() + " of the kubeconfig "
                            + names(files) + " names the cluster "
                            + config.getCurrentContext().getContext().getCluster()
                            + ", which is not there. Choose another context by `kubectl config use-context NAME`");
        }
    }

    /**
     * The same client for a first question: with a kubeconfig it waits for seconds only, for a person may have named the
     * wrong cluster. In a pod, where the cluster is the right one, its patience stays. Not to be closed.
     */
    static KubernetesClient first(KubernetesClient client) {
        if (client.getConfiguration().getFile() == null) {
            return client;
        }
        RequestConfig brief = new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withRequestRetryBackoffLimit(RETRIES_MAX)
                .withRequestTimeout(ANSWER_TIMEOUT_MS)
                .build();
        return client.newClient(brief).adapt(KubernetesClient.class);
    }

    /** Which API server a client asks, and who says so: the beginning of a sentence. */
    static String server(Config config) {
        String server = "the API server at " + config.getMasterUrl();
        if (config.getCurrentContext() == null || config.getFile() == null) {
            return server;
        }
        String context = config.getCurrentContext().getName();
        return server + " (context " + context + " of the kubeconfig " + config.getFile() + ")";
    }

    /** What to do when that one cannot be asked. */
    static String remedy(Config config, KubernetesClientException away) {
        if (away.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return "Renew the operator's credentials: it is not known who it is";
        }
        return config.getFile() == null
                ? "See that it can be reached from here"
                : "See that it can be reached from here, or choose another one by " + KUBECONFIG
                        + " or by `kubectl config use-context NAME`";
    }
}
