package io.aardappel.operator.act;

import io.aardappel.access.failure.Cause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/** Tells what an API server refuses for good from what it cannot do at the moment. Stateless. */
public final class Refusal {
    private static final int CONFLICT = 409;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FAILING = 500;

    /**
     * An API server answers 500, as to a fault of its own, where an object that is applied does not fit its schema: a
     * member that is not known, a value that cannot be read. Faults of its own it words otherwise.
     */
    private static final List<String> UNFIT = List.of(
            "failed to create typed patch object",
            "failed to create typed new object",
            "field not declared in schema",
            "unable to convert unstructured object",
            "cannot convert",
            "quantities must match");

    private Refusal() {}

    /** Whether the same request would be refused again until somebody changes something. */
    public static boolean isLasting(KubernetesClientException answer) {
        int code = answer.getCode();
        return isUnfit(answer)
                || !(isMissing(answer) || code == CONFLICT || code == TOO_MANY_REQUESTS || code >= FAILING);
    }

    /** Whether there was no answer at all, which the client tells by a code that is none. */
    public static boolean isMissing(KubernetesClientException answer) {
        return answer.getCode() <= 0;
    }

    /** Whether what was sent is no object of its kind. */
    private static boolean isUnfit(KubernetesClientException answer) {
        return answer.getCode() == FAILING && UNFIT.stream().anyMatch(words(answer)::contains);
    }

    /** Why, in the API server's words; where it said none, what lies at the ground of it. */
    public static String words(KubernetesClientException answer) {
        return answer.getStatus() == null || answer.getStatus().getMessage() == null
                ? Cause.of(answer)
                : Cause.plain(answer.getStatus().getMessage());
    }

    /** The same with what to do about it, where that is known. */
    public static String wordsAndRemedy(KubernetesClientException answer) {
        return isUnfit(answer)
                ? words(answer) + ". What is refused comes from spec.template of the resource: correct it there"
                : words(answer);
    }

    /** Whether the client should ask again by itself. */
    static boolean isPassing(KubernetesClientException answer) {
        return !isLasting(answer) && answer.getCode() != CONFLICT;
    }
}
