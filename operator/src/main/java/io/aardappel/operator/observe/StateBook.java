package io.aardappel.operator.observe;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.StateSeen;

/** What the state tables said last. It is asked by reconcilers and never makes them wait for a database. Thread-safe. */
@FunctionalInterface
public interface StateBook {
    /** What is known of the resource's instance. */
    StateSeen of(Replication resource);
}
