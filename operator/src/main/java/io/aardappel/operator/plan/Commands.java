package io.aardappel.operator.plan;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

    /** So many that are not understood are named, of each kind. */
    private static final int UNKNOWN_MAX = 5;

    /** Of a request's name, in characters: it stands in the status. */
    private static final int REQUEST_MAX = 253;

    private static final Set<String> KNOWN = Set.of(RESUME, REMOVE_STREAMS);

    private Commands() {}

    /** Whether every annotation of ours is heeded; what is not, and why, holds nothing up. */
    static Verdict understood(Observed seen, Streams streams) {
        Replication resource = seen.resource();
        List<String> faults = new ArrayList<>();
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        if (annotations != null) {
            annotations.keySet().stream()
                    .filter(name -> name.startsWith(Replication.GROUP + "/") && !KNOWN.contains(name))
                    .sorted()
                    .limit(UNKNOWN_MAX)
                    .forEach(name -> faults.add("the annotation " + name + " is unknown"));
            if (annotations.getOrDefault(RESUME, "").length() > REQUEST_MAX) {
                faults.add("the value of " + RESUME + " has more than " + REQUEST_MAX + " characters");
            }
        }
        if (Confirmation.of(resource).isPresent() && Confirmation.isVoid(seen)) {
            faults.add(
                    REMOVE_STREAMS + ": it was set while the resource was not served; take it away, and set it again if"
                            + " StreamsAccepted asks for it then");
        }
        Confirmation.open(seen)
                .ifPresent(one -> one.unknown(resource.getSpec(), streams).stream()
                        .limit(UNKNOWN_MAX)
                        .forEach(entry -> faults.add(REMOVE_STREAMS + ": " + entry
                                + " is no stream of this instance; write TOPIC:CONSUMER, as in spec.streams")));
        return faults.isEmpty()
                ? Verdict.yes(Reason.UNDERSTOOD, "no annotation is written in vain")
                : Verdict.no(
                        Reason.UNKNOWN_ANNOTATION,
                        "not heeded: " + String.join("; ", faults) + ". This operator knows " + RESUME + " and "
                                + REMOVE_STREAMS);
    }

    /** The resume that was asked for and has not been answered. */
    static Optional<String> resume(Replication resource) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        String asked = annotations == null ? null : annotations.get(RESUME);
        ReplicationStatus status = resource.getStatus();
        String answered = status == null ? null : status.resumed();
        return Optional.ofNullable(asked)
                .filter(id -> !id.isEmpty() && id.length() <= REQUEST_MAX && !id.equals(answered));
    }
}
