package io.aardappel.crds.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One replication: the tables of one YDB that are kept a consistent snapshot in another. */
@Group(Replication.GROUP)
@Version(Replication.VERSION)
@Kind("Replication")
@Singular("replication")
@Plural("replications")
@ShortNames("repl")
@Categories("aardappel")
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "State", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Stage", jsonPath = ".status.stage", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Lag", jsonPath = ".status.lag", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Active", jsonPath = ".status.activePod", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
        name = "Checkpoint",
        jsonPath = ".status.checkpoint.time",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Streams",
        jsonPath = ".status.streams.summary",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Image",
        jsonPath = ".status.image",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
public final class Replication extends CustomResource<ReplicationSpec, ReplicationStatus> implements Namespaced {
    public static final String GROUP = "aardappel.ydb.tech";
    public static final String VERSION = "v1alpha1";

    private static final long serialVersionUID = 1L;

    /** A spec is given whole: there is none without its databases and streams. */
    @Override
    protected @Nullable ReplicationSpec initSpec() {
        return null;
    }

    /** Absent until the operator has looked at the resource. */
    @Override
    protected @Nullable ReplicationStatus initStatus() {
        return null;
    }
}
