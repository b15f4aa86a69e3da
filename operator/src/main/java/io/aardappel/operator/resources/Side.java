package io.aardappel.operator.resources;

import io.aardappel.contract.ConfigKeys;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.ReplicationSpec;

/** One of the two databases, and what belongs to it in the configuration file and in the pods. */
enum Side {
    SOURCE("source", ConfigKeys.SRC_CONNECTION_STRING, ConfigKeys.SRC_CLIENT_BALANCER, ConfigKeys.SRC_OAUTH2_FILE),
    DESTINATION(
            "destination",
            ConfigKeys.DST_CONNECTION_STRING,
            ConfigKeys.DST_CLIENT_BALANCER,
            ConfigKeys.DST_OAUTH2_FILE);

    /** Begins the names of volumes, and keys below {@code replicator:}. */
    final String word;

    final String connectionStringKey;
    final String balancerKey;
    final String oauth2FileKey;

    Side(String word, String connectionStringKey, String balancerKey, String oauth2FileKey) {
        this.word = word;
        this.connectionStringKey = connectionStringKey;
        this.balancerKey = balancerKey;
        this.oauth2FileKey = oauth2FileKey;
    }

    Database of(ReplicationSpec spec) {
        return this == SOURCE ? spec.source() : spec.destination();
    }

    String tokenFileKey() {
        return word + "_token_file";
    }

    String caFileKey() {
        return word + "_tls_ca_file";
    }

    /** The file of the ConfigMap that says how a projected token is exchanged. */
    String exchangeFile() {
        return word + "-exchange.json";
    }

    String credentialVolume() {
        return word + "-credential";
    }

    String caVolume() {
        return word + "-ca";
    }

    String credentialFile() {
        return Mounts.CREDENTIALS + "/" + word + "/credential";
    }

    String caFile() {
        return Mounts.AUTHORITIES + "/" + word + "/ca.pem";
    }
}
