package io.aardappel.crds.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A Replication")
class ReplicationTest {
    private static final String YAML = """
            apiVersion: aardappel.ydb.tech/v1alpha1
            kind: Replication
            metadata:
              name: shop
              namespace: copies
            spec:
              source:
                connectionString: grpcs://source.example:2135/Root/shop
                auth:
                  serviceAccountToken:
                    audience: ydb
                    exchange:
                      endpoint: https://sts.example/token
              destination:
                endpoint: copy.example:2135
                database: /Root/copy
                auth:
                  anonymous: {}
              stateTable: repl_state
              streams:
              - sourceTopic: goods/feed
                consumer: copy
                destinationTable: goods
                problemStrategy: Continue
              heartbeat:
                maxExpectedInterval: 10s
              logLevel: Debug
              deletionPolicy: Retain
              restartNonce: 7
              template:
                container:
                  resources:
                    limits:
                      memory: 2Gi
            """;

    private final Replication replication = Serialization.unmarshal(YAML, Replication.class);

    @Test
    void isReadFromItsYaml() {
        assertThat(replication.getSpec().streams())
                .containsExactly(new Stream("goods/feed", "copy", "goods", ProblemStrategy.CONTINUE, null));
        assertThat(replication.getSpec().destination().auth().anonymous()).isNotNull();
        assertThat(replication.getSpec().restartNonce().getIntVal()).isEqualTo(7);
        assertThat(replication.getStatus()).isNull();
    }

    @Test
    void isWrittenWithoutWhatWasNotGiven() {
        assertThat(Serialization.unmarshal(Serialization.asYaml(replication), Object.class))
                .isEqualTo(Serialization.unmarshal(YAML, Object.class));
    }

    @Test
    void takesItsNamesFromTheGroup() {
        assertThat(replication.getCRDName()).isEqualTo("replications.aardappel.ydb.tech");
        assertThat(replication.getScope()).isEqualTo("Namespaced");
    }
}
