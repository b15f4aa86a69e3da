package io.aardappel.operator.observe;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import java.util.List;
import java.util.Map;

/** What the databases say of streams that a resource newly names. Never makes a reconciler wait for a database. Thread-safe. */
@FunctionalInterface
public interface StreamBook {
    /**
     * What is known.
     *
     * @param streams to be asked about, none once nothing is new
     * @return of each that was asked about, what keeps it from being replicated, for a person; empty for nothing
     */
    Map<Stream, String> of(Replication resource, List<Stream> streams);
}
