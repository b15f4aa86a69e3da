package io.aardappel.operator.resources;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.Digest;
import java.util.Map;

/**
 * Names of the objects of a Replication, and the labels by which they are found. They follow from its name alone and stay the
 * same over upgrades. A name that would be too long is cut, with a hash of the whole behind it.
 */
public final class Names {
    /** What is ours among labels and annotations. */
    public static final String PREFIX = Replication.GROUP + "/";

    /** Label of every object of a Replication: its name, cut where a label's value must be. */
    public static final String REPLICATION = PREFIX + "replication";

    /** Value of {@code app.kubernetes.io/managed-by}, and who applies what the operator writes. */
    public static final String MANAGER = "aardappel-controller";

    private static final String PART_OF = "aardappel";

    /** Of labels' values, and of what becomes a part of a host name. */
    private static final int LENGTH_MAX = 63;
    /** A Deployment's name, with which those of its pods begin: two dashes, ten and five characters more. */
    private static final int DEPLOYMENT_LENGTH_MAX = LENGTH_MAX - 17;

    private static final int HASH_DIGITS = 8;

    private final String replication;

    private Names(String replication) {
        this.replication = replication;
    }

    /** Of the objects of the resource with this name. */
    public static Names of(String replication) {
        return new Names(replication);
    }

    /** Of Deployment, Service, PodDisruptionBudget, PodMonitor and NetworkPolicy, and of the ServiceAccount that is made. */
    public String replicator() {
        return object(replication + "-replicator", DEPLOYMENT_LENGTH_MAX);
    }

    /** Of the ConfigMap whose content has this hash. */
    public String configMap(String hash) {
        return object(replication + "-" + hash, LENGTH_MAX);
    }

    /** What selects the pods. Never changes: a Deployment's selector cannot. */
    public Map<String, String> selector() {
        return Map.of(
                "app.kubernetes.io/name",
                "replicator",
                "app.kubernetes.io/component",
                "replicator",
                REPLICATION,
                cut(replication, LENGTH_MAX));
    }

    /** Of every object of the resource, {@link #selector} among them. */
    public Map<String, String> labels() {
        return Map.of(
                "app.kubernetes.io/name",
                "replicator",
                "app.kubernetes.io/component",
                "replicator",
                "app.kubernetes.io/instance",
                cut(replication, LENGTH_MAX),
                "app.kubernetes.io/part-of",
                PART_OF,
                "app.kubernetes.io/managed-by",
                MANAGER,
                REPLICATION,
                cut(replication, LENGTH_MAX));
    }

    /** A Service's name, and a pod's as a host name, has no dots. */
    private static String object(String name, int length) {
        return name.indexOf('.') < 0
                ? cut(name, length)
                : cut(name.replace('.', '-'), length - HASH_DIGITS - 1) + "-" + Digest.of(name, HASH_DIGITS);
    }

    private static String cut(String name, int length) {
        if (name.length() <= length) {
            return name;
        }
        String kept = name.substring(0, length - HASH_DIGITS - 1);
        while (!Character.isLetterOrDigit(kept.charAt(kept.length() - 1))) {
            kept = kept.substring(0, kept.length() - 1);
        }
        return kept + "-" + Digest.of(name, HASH_DIGITS);
    }
}
