package io.aardappel.operator.plan;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import java.util.Map;
import java.util.Optional;

/** What people order by annotations. Each order carries a name of its own and is carried out once. */
public final class Commands {
    /** Annotation: clears FATAL_ERROR. Its value names the request. */
    public static final String RESUME = Replication.GROUP + "/resume";

    /**
     * Annotation: confirms that members which the resource names no more, or otherwise, are taken out of the instance. Its value
     * names them, each as {@code TOPIC:CONSUMER}, with commas or blanks between.
     */
    public static final String REMOVE_STREAMS = Replication.GROUP + "/remove-streams";

    /** Finalizer of a resource whose rows are removed with it. */
    public static final String FINALIZER = Replication.GROUP + "/cleanup";

    private Commands() {}

    /** The resume that was asked for and has not been answered. */
    static Optional<String> resume(Replication resource) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        String asked = annotations == null ? null : annotations.get(RESUME);
        ReplicationStatus status = resource.getStatus();
        String answered = status == null ? null : status.resumed();
        return Optional.ofNullable(asked).filter(id -> !id.isEmpty() && !id.equals(answered));
    }
}
