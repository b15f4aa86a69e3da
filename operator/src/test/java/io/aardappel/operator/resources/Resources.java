package io.aardappel.operator.resources;

import io.aardappel.crds.api.Replication;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Resources as people write them. */
final class Resources {
    /** Nothing but what must be there. */
    static final String MINIMAL = """
            apiVersion: aardappel.ydb.tech/v1alpha1
            kind: Replication
            metadata: {name: shop, namespace: copies, uid: 7a1f}
            spec:
              source:
                connectionString: grpc://source.example:2136/Root/shop
                auth: {anonymous: {}}
              destination:
                endpoint: grpcs://copy.example:2135
                database: /Root/copy
                auth: {anonymous: {}}
              stateTable: repl_state
              streams:
              - {sourceTopic: goods/feed, consumer: copy, destinationTable: goods}
            """;

    /** With everything that reaches the pods. */
    static final String FULL = """
            apiVersion: aardappel.ydb.tech/v1alpha1
            kind: Replication
            metadata: {name: shop, namespace: copies, uid: 7a1f}
            spec:
              instanceId: shop-west
              source:
                connectionString: grpcs://source.example:2135/Root/shop
                allNodes: true
                tls: {caSecretRef: {name: authorities, key: ca.crt}}
                auth:
                  serviceAccountToken:
                    audience: ydb
                    expirationSeconds: 1200
                    exchange:
                      endpoint: https://sts.example/token
                      audience: [one, two]
                      scope: [read]
              destination:
                endpoint: copy.example:2135
                database: /Root/copy
                auth: {staticTokenSecretRef: {name: tokens, key: copy}}
              stateTable: /Root/copy/repl/state
              streams:
              - {sourceTopic: goods/feed, consumer: copy, destinationTable: goods, problemStrategy: Continue, monitoringTag: g}
              - {sourceTopic: orders/feed, consumer: copy, destinationTable: /Root/copy/orders, problemStrategy: Stop}
              replicas: 3
              heartbeat: {maxExpectedInterval: 1m30s}
              limits: {memory: 256Mi, transactionRows: 5000, transactionBytes: 4Mi}
              commandQueue: {topic: repl/commands, consumer: copy}
              deadLetterQueue: {topic: repl/letters, format: Json}
              keyFilter: {table: repl/blocked}
              image: registry.example/replicator:2
              logLevel: Debug
              restartNonce: 7
              podMonitor: {interval: 30s, labels: {release: west}}
              networkPolicy: {}
              template:
                labels: {team: shop, app.kubernetes.io/name: mine}
                annotations: {note: hello}
                pod:
                  serviceAccountName: shop
                  imagePullSecrets: [{name: pull}]
                  nodeSelector: {disk: fast}
                  priorityClassName: high
                  securityContext: {runAsUser: 1234}
                  terminationGracePeriodSeconds: 60
                  hostAliases: [{ip: 10.0.0.1, hostnames: [source.example]}]
                  tolerations: [{key: dedicated, operator: Exists}]
                  volumes: [{name: extra, emptyDir: {}}]
                container:
                  env: [{name: HTTPS_PROXY, value: "http://proxy:3128"}]
                  volumeMounts: [{name: extra, mountPath: /extra}]
                  resources: {limits: {memory: 2Gi}}
            """;

    private Resources() {}

    static Replication of(String yaml) {
        return Serialization.unmarshal(yaml, Replication.class);
    }

    /** The minimal one with further lines of its spec. */
    static Replication minimalWith(String spec) {
        return of(MINIMAL + spec.indent(2));
    }
}
