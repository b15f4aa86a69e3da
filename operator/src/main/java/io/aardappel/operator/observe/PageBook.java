package io.aardappel.operator.observe;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.PageSeen;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** What the pages of pods said last. It is asked by reconcilers and never makes them wait for a pod. Thread-safe. */
@FunctionalInterface
public interface PageBook {
    /**
     * What is known.
     *
     * @param pod that is to be asked from now on, empty for none
     */
    PageSeen of(Replication resource, Optional<Pod> pod);
}
