package io.aardappel.operator.app;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.app.RequiredRights.Right;
import io.aardappel.operator.settings.Scope;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the operator finds in the cluster before it changes anything there.
 *
 * @param podMonitors whether the cluster has PodMonitors
 * @param problems everything that keeps the operator from working, each with its remedy; empty when nothing does
 */
record ClusterCheck(boolean podMonitors, List<String> problems) {
    private static final String RESOURCE = "replications";
    private static final String MONITORING = "monitoring.coreos.com/v1";
    /** As a namespace of an access review: all of them. */
    private static final String EVERYWHERE = "";

    ClusterCheck {
        problems = List.copyOf(problems);
    }

    /**
     * Asks the API server, which is changed by none of the questions. The first one is asked as {@link
     * ClusterAccess#first} says.
     *
     * @param lease its namespace; empty where there is none
     * @throws KubernetesClientException when it does not answer
     */
    static ClusterCheck of(KubernetesClient client, Scope scope, Optional<String> lease) {
        List<String> problems = new ArrayList<>();
        if (!serves(ClusterAccess.first(client), Replication.GROUP + "/" + Replication.VERSION, RESOURCE)) {
            problems.add("the API server has no " + RESOURCE + "." + Replication.GROUP + " of version "
                    + Replication.VERSION
                    + ": install them by `kubectl apply --server-side -f crds/replications.aardappel.ydb.tech.yaml`");
        }
        boolean podMonitors = serves(client, MONITORING, "podmonitors");
        List<Right> served = new ArrayList<>(RequiredRights.inServedNamespaces());
        if (podMonitors) {
            served.addAll(RequiredRights.forPodMonitors());
        }
        Set<String> namespaces = scope.all() ? Set.of(EVERYWHERE) : new TreeSet<>(scope.names());
        List<String> missing = new ArrayList<>(missing(client, served, namespaces));
        lease.ifPresent(in -> missing.addAll(missing(client, RequiredRights.inLeaseNamespace(), Set.of(in))));
        if (!missing.isEmpty()) {
            problems.add("the operator lacks rights: " + String.join("; ", missing)
                    + ". Give them to the user or ServiceAccount that it runs as, by a Role in each namespace or by a ClusterRole:"
                    + " docs/operator.md lists all that it needs");
        }
        return new ClusterCheck(podMonitors, problems);
    }

    private static boolean serves(KubernetesClient client, String groupVersion, String resources) {
        try {
            APIResourceList all = client.getApiResources(groupVersion);
            return all != null && all.getResources().stream().anyMatch(one -> resources.equals(one.getName()));
        } catch (KubernetesClientException absent) {
            if (absent.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return false;
            }
            throw absent;
        }
    }

    private static List<String> missing(KubernetesClient client, List<Right> rights, Set<String> namespaces) {
        List<String> missing = new ArrayList<>();
        for (Right right : rights) {
            List<String> open = right.verbs().stream()
                    .filter(verb -> !allows(client, right, verb, EVERYWHERE))
                    .toList();
            for (String namespace : namespaces) {
                List<String> denied = open.stream()
                        .filter(verb -> namespace.equals(EVERYWHERE) || !allows(client, right, verb, namespace))
                        .toList();
                if (!denied.isEmpty()) {
                    missing.add(String.join(", ", denied) + " " + qualified(right) + " in "
                            + (namespace.equals(EVERYWHERE) ? "all namespaces" : "namespace " + namespace) + " ("
                            + right.purpose() + ")");
                }
            }
        }
        return missing;
    }

    private static String qualified(Right right) {
        return right.group().isEmpty() ? right.resource() : right.resource() + "." + right.group();
    }

    private static boolean allows(KubernetesClient client, Right right, String verb, String namespace) {
        String[] parts = right.resource().split("/", 2);
        SelfSubjectAccessReview question = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withGroup(right.group())
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : "")
                .withVerb(verb)
                .withNamespace(namespace)
                .endResourceAttributes()
                .endSpec()
                .build();
        return Boolean.TRUE.equals(client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(question)
                .getStatus()
                .getAllowed());
    }
}
