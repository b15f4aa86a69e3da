package io.aardappel.operator.plan;

import io.aardappel.crds.api.Stream;
import java.util.List;

/** Something to be done about a Replication. Doing it twice does no harm. */
public sealed interface Action {
    /**
     * Makes all objects as the resource wants them.
     *
     * @param streams those that may run, in the order of the resource
     * @param pods how many there are to be
     * @param togetherHash to be noted at the template, see {@link Together}
     */
    record Apply(List<Stream> streams, int pods, String togetherHash) implements Action {
        public Apply {
            streams = List.copyOf(streams);
        }
    }

    /** Lowers how many pods there are to be, and changes nothing else. */
    record Scale(int pods) implements Action {}

    /** Marks a pod as the one to be removed last, and no other. */
    record MarkActive(String pod) implements Action {}

    /**
     * Notes at every pod, and not in the template, what its Secrets hold now: the kubelet then mounts it at once instead of in a
     * minute or two, and no pod starts anew.
     */
    record NoteSecrets(String hash) implements Action {}

    /** Takes streams out of the instance's members; only while no pod is left. */
    record RemoveMembers(List<StreamKey> streams) implements Action {
        public RemoveMembers {
            streams = List.copyOf(streams);
        }
    }

    /**
     * Sets the state of the row from FATAL_ERROR to OK.
     *
     * @param request by which the person asked
     * @param lastMessage of the row as it was seen: another one is another problem, which is not cleared
     */
    record ClearFatal(String request, String lastMessage) implements Action {}

    /**
     * Removes the instance's rows beside and in the state table.
     *
     * @param lastTry whether what follows is done even when they cannot be removed
     */
    record DeleteState(boolean lastTry) implements Action {}

    /** Keeps the resource from going before its rows were removed. */
    record Hold() implements Action {}

    /** Lets the resource go. */
    record Release() implements Action {}

    /**
     * Tells people, once.
     *
     * @param warning whether somebody should look
     * @param reason of the condition that changed
     * @param note for a person
     */
    record Tell(boolean warning, Reason reason, String note) implements Action {}
}
