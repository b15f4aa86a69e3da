package io.aardappel.operator.resources;

import io.aardappel.crds.api.Replication;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;

/** What every object that belongs to a Replication carries. */
final class Owned {
    private Owned() {}

    /** Name, namespace, labels and owner: the object goes when the resource goes. */
    static ObjectMeta metadata(Replication replication, String name) {
        ObjectMeta owner = replication.getMetadata();
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(owner.getNamespace())
                .withLabels(Names.of(owner.getName()).labels())
                .addNewOwnerReference()
                .withApiVersion(Replication.GROUP + "/" + Replication.VERSION)
                .withKind("Replication")
                .withName(owner.getName())
                .withUid(owner.getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .endOwnerReference()
                .build();
    }
}
