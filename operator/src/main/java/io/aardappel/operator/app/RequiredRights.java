package io.aardappel.operator.app;

import io.aardappel.crds.api.Replication;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every right that the operator needs of the API server, and why: the one list that its check at the start and the tests of the
 * manifests go by. What every authenticated user may do (discovery, reviews of one's own access) is not in it.
 */
public final class RequiredRights {
    private static final String CORE = "";
    private static final String APPS = "apps";
    private static final String MONITORING = "monitoring.coreos.com";

    /**
     * Verbs upon one resource.
     *
     * @param group API group; empty for the core one
     * @param resource plural, a sub-resource behind a slash, as rules of roles have it
     * @param verbs none of them a wildcard
     * @param purpose what the operator does by it, for a person
     */
    public record Right(String group, String resource, List<String> verbs, String purpose) {
        public Right {
            verbs = List.copyOf(verbs);
        }
    }

    private RequiredRights() {}

    /** In every namespace whose Replications are served; a ClusterRole's where all are. */
    public static List<Right> inServedNamespaces() {
        return List.of(
                right(
                        Replication.GROUP,
                        "replications",
                        "finds the resources, sets their finalizer, and asks for one anew before its rows are removed",
                        getAndWatch("patch")),
                right(Replication.GROUP, "replications/status", "says how the replication is", List.of("patch")),
                right(
                        Replication.GROUP,
                        "replications/finalizers",
                        "makes objects that keep their resource from going before them, where a cluster controls that",
                        List.of("update")),
                right(APPS, "deployments", "runs the pods", getAndWatch("create", "patch")),
                right(CORE, "pods", "sees which pod is active, and marks it", getAndWatch("patch")),
                right(CORE, "configmaps", "hands the pods their configuration", watch("create", "patch", "delete")),
                right(CORE, "services", "names the pods' pages", watch("create", "patch")),
                right(CORE, "serviceaccounts", "gives the pods an identity", watch("create", "patch", "delete")),
                right(
                        CORE,
                        "serviceaccounts/token",
                        "logs in to the databases as the pods do, where they do so by a projected token",
                        List.of("create")),
                right(CORE, "secrets", "logs in to the databases as the pods do; never lists", List.of("get")),
                right(
                        "policy",
                        "poddisruptionbudgets",
                        "keeps one pod while nodes are drained",
                        watch("create", "patch", "delete")),
                right(
                        "networking.k8s.io",
                        "networkpolicies",
                        "closes the pods to others, where that is asked for",
                        watch("create", "patch", "delete")),
                right("events.k8s.io", "events", "tells what changed", List.of("create")));
    }

    /** In the same namespaces, where the cluster has PodMonitors. */
    public static List<Right> forPodMonitors() {
        return List.of(right(
                MONITORING,
                "podmonitors",
                "has the pods' metrics collected, where that is asked for",
                watch("create", "patch", "delete")));
    }

    /** In the namespace of the lease, where there are to be two operators. */
    public static List<Right> inLeaseNamespace() {
        return List.of(right(
                "coordination.k8s.io",
                "leases",
                "agrees with other operators on which one acts",
                List.of("get", "create", "update", "patch")));
    }

    private static Right right(String group, String resource, String purpose, List<String> verbs) {
        return new Right(group, resource, verbs, purpose);
    }

    private static List<String> watch(String... more) {
        return Stream.concat(Stream.of("list", "watch"), Stream.of(more)).toList();
    }

    /** The client reads an object before it patches a part of it. */
    private static List<String> getAndWatch(String... more) {
        return Stream.concat(Stream.of("get"), watch(more).stream()).toList();
    }
}
