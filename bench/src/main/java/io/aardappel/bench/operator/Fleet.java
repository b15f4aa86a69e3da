package io.aardappel.bench.operator;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** So many resources in a cluster, and when it was seen to say what about them. Thread-safe. */
final class Fleet implements AutoCloseable {
    private static final int THREADS = 8;
    private static final long LIMIT_MINUTES = 5;

    private final KubernetesClient client;
    private final String namespace;
    private final StateRows rows;
    private final int size;
    private final StandIn standIn;
    private final SharedIndexInformer<Replication> resources;
    private final SharedIndexInformer<Deployment> deployments;
    /** Nanoseconds of this process's clock, when a thing was first seen. */
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    Fleet(KubernetesClient client, String namespace, StateRows rows, int size) {
        this.client = client;
        this.namespace = namespace;
        this.rows = rows;
        this.size = size;
        this.standIn = new StandIn(client, namespace);
        this.resources =
                client.resources(Replication.class).inNamespace(namespace).inform(noting(this::noteResource));
        this.deployments = client.apps().deployments().inNamespace(namespace).inform(noting(this::noteDeployment));
    }

    /** What is called with an object as it is now. */
    private interface Look<T> {
        void at(T object);
    }

    private static <T> ResourceEventHandler<T> noting(Look<T> look) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T made) {
                look.at(made);
            }

            @Override
            public void onUpdate(T before, T now) {
                look.at(now);
            }

            @Override
            public void onDelete(T gone, boolean unknown) {
                // nothing is deleted here
            }
        };
    }

    private void noteResource(Replication one) {
        ReplicationStatus status = one.getStatus();
        if (status == null || status.conditions() == null) {
            return;
        }
        String name = one.getMetadata().getName();
        status.conditions().stream()
                .filter(condition -> condition.getStatus().equals("True"))
                .forEach(condition -> note(conditionKey(name, condition.getType())));
        if (status.checkpoint() != null) {
            note(checkpointKey(name, status.checkpoint().stepId()));
        }
    }

    private void noteDeployment(Deployment one) {
        Map<String, String> annotations =
                one.getSpec().getTemplate().getMetadata().getAnnotations();
        String nonce = annotations == null ? null : annotations.get("aardappel.ydb.tech/restart-nonce");
        if (nonce != null) {
            note(nonceKey(one.getMetadata().getName(), nonce));
        }
    }

    private void note(String key) {
        seen.putIfAbsent(key, System.nanoTime());
    }

    private OptionalLong when(String key) {
        Long at = seen.get(key);
        return at == null ? OptionalLong.empty() : OptionalLong.of(at);
    }

    private static String conditionKey(String name, String type) {
        return name + " is " + type;
    }

    private static String checkpointKey(String name, String step) {
        return name + " at " + step;
    }

    private static String nonceKey(String deployment, String nonce) {
        return deployment + " by " + nonce;
    }

    /** Makes all of them. */
    void apply() {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        IntStream.range(0, size).forEach(number -> threads.execute(() -> make(number)));
        threads.shutdown();
        try {
            if (!threads.awaitTermination(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the resources were not made within " + LIMIT_MINUTES + " minutes");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void make(int number) {
        String yaml = """
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: %s, namespace: %s}
                spec:
                  source: {connectionString: "grpc://source.example:2136/Root/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "%s", auth: {anonymous: {}}}
                  instanceId: %s
                  stateTable: %s
                  streams:
                  - {sourceTopic: goods%d/feed, consumer: copy, destinationTable: goods}
                """.formatted(
                        StateRows.instance(number),
                        namespace,
                        rows.url(),
                        StateRows.instance(number),
                        rows.table(number),
                        number);
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, Replication.class))
                .create();
    }

    /** How many have this condition, or had it once. */
    long with(String condition) {
        return IntStream.range(0, size)
                .filter(number -> seen.containsKey(conditionKey(StateRows.instance(number), condition)))
                .count();
    }

    /** When a status was first seen with this checkpoint; absent before. */
    OptionalLong checkpoint(int number, long step) {
        return when(checkpointKey(StateRows.instance(number), Long.toString(step)));
    }

    /** When a Deployment was first seen with what {@link #edit} wrote; absent before. */
    OptionalLong edited(int number, String nonce) {
        return when(nonceKey(StandIn.deployment(StateRows.instance(number)), nonce));
    }

    /** Edits the resource. */
    void edit(int number, String nonce) {
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName(StateRows.instance(number))
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"restartNonce\":\"" + nonce + "\"}}");
    }

    int size() {
        return size;
    }

    @Override
    public void close() {
        resources.stop();
        deployments.stop();
        standIn.close();
    }
}
