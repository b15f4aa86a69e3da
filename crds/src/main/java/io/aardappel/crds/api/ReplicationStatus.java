package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator saw last; made anew from observation alone, so that deleting it loses nothing. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplicationStatus(
        @JsonPropertyDescription("metadata.generation that all of this was computed from.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("In a word: Pending, Starting, Running, Waiting, Suspended, Fatal or Deleting.")
        @Size(max = 64)
        @Nullable
        String state,

        @JsonPropertyDescription(
                "INITIAL_SCAN while rows are applied as they come, RUN while the tables are a snapshot.")
        @Size(max = 64)
        @Nullable
        String stage,

        @JsonPropertyDescription("The tables hold every change below it.") @Nullable
        Checkpoint checkpoint,

        @JsonPropertyDescription("Now minus the checkpoint, rounded; such as 3s. Absent in a scan and while suspended.")
        @Size(max = 32)
        @Nullable
        String lag,

        @JsonPropertyDescription("The pod that holds the lock.") @Size(max = 253) @Nullable
        String activePod,

        @JsonPropertyDescription("What stopped the replication last; kept until it runs again.")
        @Size(max = 1024)
        @Nullable
        String lastError,

        @JsonPropertyDescription("How the streams are.") @Nullable
        Streams streams,

        @JsonPropertyDescription("Kept for a guided addition of streams, which there is none of yet: always absent.")
        @Nullable
        Migration migration,

        @JsonPropertyDescription("Image that the pods in force run.") @Size(max = 512) @Nullable
        String image,

        @JsonPropertyDescription("The ConfigMap that running pods read.") @Size(max = 253) @Nullable
        String configMap,

        @JsonPropertyDescription("Pods, whatever their state.") @StatusReplicas @Nullable
        Integer replicas,

        @JsonPropertyDescription("Pods that are active or able to take over.") @Nullable
        Integer readyReplicas,

        @JsonPropertyDescription("Selects the pods; for the scale subresource.")
        @LabelSelector
        @Size(max = 1024)
        @Nullable
        String selector,

        @JsonPropertyDescription("The request id of the last resume that was carried out or refused.")
        @Size(max = 253)
        @Nullable
        String resumed,

        @JsonPropertyDescription(
                "Value of the annotation aardappel.ydb.tech/remove-streams that was carried out, or was set while"
                        + " the resource was not served and so never is; of a long one its hash. It is not heeded again until the annotation was taken away or changed.")
        @Size(max = 253)
        @Nullable
        String removed,

        @JsonPropertyDescription("Each in a word and a sentence; Ready is their summary.") @Size(max = 32) @Nullable
        List<Condition> conditions) {

    /** State of a stream that runs on as it was, though the resource names it no more. */
    public static final String KEPT = "kept";

    /** A position of the source's virtual time. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Checkpoint(
            @JsonPropertyDescription(
                    "Coordinator step, milliseconds of the source's time; an unsigned number in digits.")
            @Size(max = 20)
            String stepId,

            @JsonPropertyDescription("Transaction id within the step; an unsigned number in digits.") @Size(max = 20)
            String txId,

            @JsonPropertyDescription("The step as a time.") @Size(max = 40) @Nullable
            String time) {}

    /** How the streams are. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Streams(
            @JsonPropertyDescription("MEMBERS/WANTED, such as 3/3.") @Size(max = 32) @Nullable
            String summary,

            @JsonPropertyDescription("Streams that the checkpoint stands for.")
            int members,

            @JsonPropertyDescription("Streams that are being added.")
            int joining,

            @JsonPropertyDescription("Streams whose addition failed.")
            int failed,

            @JsonPropertyDescription("The worst, at most twenty.") @Size(max = 20) @Nullable
            List<StreamState> worst) {}

    /** A stream that is not as it should be. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record StreamState(
            @JsonPropertyDescription("As in spec.streams.") @Size(max = 1024)
            String sourceTopic,

            @JsonPropertyDescription("As in spec.streams.") @Size(max = 256)
            String consumer,

            @JsonPropertyDescription("member, joining, failed, kept, removed or missing.") @Size(max = 64)
            String state,

            @JsonPropertyDescription("Why, for a person.") @Size(max = 1024) @Nullable
            String message) {}

    /** A guided addition of a stream. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Migration(
            @JsonPropertyDescription("The request's id.") @Size(max = 253)
            String id,

            @JsonPropertyDescription("The request's strategy, or the one that auto chose.") @Size(max = 64)
            String strategy,

            @JsonPropertyDescription("Planned, Running, Done, Failed, Aborting or Aborted.") @Size(max = 64)
            String phase,

            @JsonPropertyDescription("In order of execution.") @Size(max = 64) @Nullable
            List<Step> steps,

            @JsonPropertyDescription("Where what was before is kept.") @Size(max = 253) @Nullable
            String backupRef) {}

    /** One step of a migration. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Step(
            @JsonPropertyDescription("What it does, in a word; no two steps have the same.") @Required @Size(max = 128)
            String name,

            @JsonPropertyDescription("Pending, Running, Done, Failed or Undone.") @Size(max = 32)
            String state,

            @JsonPropertyDescription("When it began.") @Size(max = 40) @Nullable
            String startedAt,

            @JsonPropertyDescription("When it ended, well or not.") @Size(max = 40) @Nullable
            String finishedAt,

            @JsonPropertyDescription("What it found, for a person.") @Size(max = 1024) @Nullable
            String message) {}
}
