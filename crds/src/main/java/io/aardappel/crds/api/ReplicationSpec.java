package io.aardappel.crds.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a person asks for. What is null was not written; the operator then takes the default that the description names. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "has(self.instanceId) == has(oldSelf.instanceId)"
                + " && (!has(self.instanceId) || self.instanceId == oldSelf.instanceId)",
        message =
                "instanceId cannot be changed: the checkpoint belongs to it. Create another Replication for another instance",
        fieldPath = ".instanceId")
@ValidationRule(
        value = "self.stateTable == oldSelf.stateTable",
        message =
                "stateTable cannot be changed: the checkpoint lies in it. Create another Replication for another table",
        fieldPath = ".stateTable")
@ValidationRule(
        value = "self.streams.all(s, s.destinationTable != self.stateTable && (!has(self.destination.database)"
                + " || (self.destination.database + '/' + s.destinationTable != self.stateTable"
                + " && s.destinationTable != self.destination.database + '/' + self.stateTable)))",
        message =
                "stateTable is the destinationTable of a stream too: name another table, for checkpoint and lock alone")
public record ReplicationSpec(
        @JsonPropertyDescription("Name of the replication in the state table, and of its lock. Cannot be changed."
                + " Set it to take over an instance that another program has been running."
                + " Default: NAMESPACE/NAME of this resource.")
        @Size(min = 1, max = 253)
        @Nullable
        String instanceId,

        @JsonPropertyDescription("The database that is copied.") @Required
        Database source,

        @JsonPropertyDescription("The database that is kept in step.") @Required
        Database destination,

        @JsonPropertyDescription("Table in the destination that holds checkpoint and lock, relative to the database or"
                + " absolute. Made when absent, with further ones beside it whose names begin with its."
                + " Cannot be changed.")
        @Required
        @Size(min = 1, max = 1024)
        @ValidationRule(value = NameRules.PATH, message = "write the path of a table " + NameRules.PATH_MESSAGE)
        String stateTable,

        @JsonPropertyDescription("The tables to copy, one for each changefeed. Two may have the same destinationTable."
                + " One that is left out, or whose sourceTopic, consumer or destinationTable changes, runs on as it was"
                + " until its removal is confirmed by the annotation aardappel.ydb.tech/remove-streams:"
                + " TOPIC:CONSUMER[,TOPIC:CONSUMER]. One that is added is left out of what runs until it was brought"
                + " in by hand, since its table's rows are not in the destination: suspend, bring it in as"
                + " docs/runbooks/conditions.md says under MigrationRequired, and resume.")
        @Required
        @Size(min = 1, max = 2000)
        List<Stream> streams,

        @JsonPropertyDescription("Pods: one active, the others stand by. More do not make it faster. Default: 2.")
        @SpecReplicas
        @Min(0)
        @Max(9)
        @Nullable
        Integer replicas,

        @JsonPropertyDescription(
                "true: all pods stop at a transaction's border and nothing is deleted. Default: false.")
        @Nullable
        Boolean suspend,

        @JsonPropertyDescription("What is expected of the changefeeds' heartbeats.") @Nullable
        Heartbeat heartbeat,

        @JsonPropertyDescription("Bounds of memory and of transactions.") @Nullable
        Limits limits,

        @JsonPropertyDescription("Topic in the destination by which people decide about records that do not fit.")
        @Nullable
        CommandQueue commandQueue,

        @JsonPropertyDescription("Topic in the destination that records which are left out are written to.") @Nullable
        DeadLetterQueue deadLetterQueue,

        @JsonPropertyDescription("Table in the destination that names rows which are left out.") @Nullable
        KeyFilter keyFilter,

        @JsonPropertyDescription("What the pods have beside what the operator gives them.") @Nullable
        PodTemplate template,

        @JsonPropertyDescription("Image of the replicator. Default: the one the operator was installed with.")
        @Size(min = 1, max = 512)
        @ValidationRule(
                value = "self.matches('^[!-~]+$')",
                message = "must be the reference of an image, without blanks")
        @Nullable
        String image,

        @JsonPropertyDescription("Least level of log lines that are written. Default: Info.") @Nullable
        LogLevel logLevel,

        @JsonPropertyDescription("What becomes of the row in the state table when this resource is deleted."
                + " Default: Retain, so that a resource made again goes on where this one ended. Delete counts once"
                + " metadata.finalizers has aardappel.ydb.tech/cleanup: a resource that is deleted before that leaves"
                + " its row.")
        @Nullable
        DeletionPolicy deletionPolicy,

        @JsonPropertyDescription("Any other value than before restarts the pods, standbys first.") @Nullable
        IntOrString restartNonce,

        @JsonPropertyDescription("Asks for a PodMonitor of the Prometheus operator, where its API exists.") @Nullable
        PodMonitoring podMonitor,

        @JsonPropertyDescription(
                "Asks for a NetworkPolicy: in come probes and metrics, out go databases, tokens and names.")
        @Nullable
        NetworkIsolation networkPolicy) {}
