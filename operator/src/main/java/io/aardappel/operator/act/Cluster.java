package io.aardappel.operator.act;

import io.aardappel.crds.api.Replication;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/** What is known of the objects of a resource without asking the API server: what was watched. */
public interface Cluster {
    /** Those of a kind that belong to the resource. */
    <R extends HasMetadata> List<R> owned(Class<R> kind, Replication resource);

    /** Whether an object is as wanted, but for members that are nobody's wish. */
    <R extends HasMetadata> boolean matches(R actual, R wanted);
}
