package io.aardappel.operator.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.crds.api.Stream;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** An observation, made step by step. Begins as a resource that replicates: two pods, the first with the lock. */
final class Sight {
    static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    static final String ACTIVE = "shop-replicator-6f-aaaaa";
    static final String STANDBY = "shop-replicator-6f-bbbbb";
    static final String PREFIX = "shop-replicator-";

    private static final String YAML = """
            apiVersion: aardappel.ydb.tech/v1alpha1
            kind: Replication
            metadata: {name: shop, namespace: copies, uid: 7a1f, generation: 3}
            spec:
              source: {connectionString: "grpc://source:2136/Root/shop", auth: {anonymous: {}}}
              destination: {connectionString: "grpc://copy:2136/Root/copy", auth: {anonymous: {}}}
              stateTable: repl_state
              streams:
              - {sourceTopic: goods/feed, consumer: copy, destinationTable: goods}
              - {sourceTopic: orders/feed, consumer: copy, destinationTable: orders}
            """;

    final Replication resource = Serialization.unmarshal(YAML, Replication.class);
    private final List<Observed.PodSeen> pods = new ArrayList<>();
    private Optional<Observed.Workload> workload;
    private StateSeen state;
    private PageSeen page = new PageSeen.NotAsked();
    private Optional<Observed.Obstacle> obstacle = Optional.empty();
    private String secretsHash = "";
    private Map<Stream, String> checks = Map.of();

    Sight() {
        pods.add(pod(ACTIVE, true, true));
        pods.add(pod(STANDBY, true, false));
        workload = Optional.of(workload(2, hash(), true));
        state = row(ACTIVE, Stage.RUN, false);
    }

    /** A resource that was just created. */
    static Sight fresh() {
        Sight sight = new Sight();
        sight.pods.clear();
        sight.workload = Optional.empty();
        sight.state = new StateSeen.Absent();
        return sight;
    }

    Sight spec(String lines) {
        ObjectNode spec = Serialization.unmarshal(Serialization.asYaml(resource.getSpec()), ObjectNode.class);
        spec.setAll(Serialization.unmarshal(lines, ObjectNode.class));
        resource.setSpec(Serialization.unmarshal(Serialization.asYaml(spec), ReplicationSpec.class));
        return this;
    }

    Sight annotated(String key, String value) {
        Map<String, String> all = resource.getMetadata().getAnnotations();
        Map<String, String> more = new HashMap<>(all == null ? Map.of() : all);
        more.put(key, value);
        resource.getMetadata().setAnnotations(more);
        return this;
    }

    Sight held() {
        resource.getMetadata().setFinalizers(new ArrayList<>(List.of(Commands.FINALIZER)));
        return this;
    }

    Sight deletedFor(Duration since) {
        resource.getMetadata().setDeletionTimestamp(NOW.minus(since).toString());
        return this;
    }

    Sight status(ReplicationStatus status) {
        resource.setStatus(status);
        return this;
    }

    /** Its status says that it was served so far, and no more. */
    Sight served() {
        return said(Reason.APPLIED);
    }

    /** The same, by this reason of the condition Configured. */
    Sight said(Reason configured) {
        resource.setStatus(Serialization.unmarshal(
                "conditions: [{type: Configured, status: \"%s\", reason: %s, message: m, lastTransitionTime: %s}]"
                        .formatted(configured == Reason.APPLIED ? "True" : "False", configured.word(), NOW),
                ReplicationStatus.class));
        return this;
    }

    Sight noObstacle() {
        obstacle = Optional.empty();
        return this;
    }

    Sight noPods() {
        pods.clear();
        return this;
    }

    Sight pods(Observed.PodSeen... all) {
        pods.clear();
        pods.addAll(List.of(all));
        return this;
    }

    Sight workload(Observed.Workload one) {
        workload = Optional.of(one);
        return this;
    }

    Sight noWorkload() {
        workload = Optional.empty();
        return this;
    }

    Sight state(StateSeen seen) {
        state = seen;
        return this;
    }

    /** The active pod says so. */
    Sight page(String mode, List<String> waitsFor, PageSeen.Blocking... blocking) {
        return page(new PageSeen.Page(
                ACTIVE, mode, waitsFor, List.of(blocking).stream().findFirst(), PageSeen.Alignment.SNAPSHOT));
    }

    Sight page(PageSeen seen) {
        page = seen;
        return this;
    }

    Sight obstacle(Reason reason) {
        obstacle = Optional.of(new Observed.Obstacle(reason, "because"));
        return this;
    }

    Sight secretsHash(String hash) {
        secretsHash = hash;
        return this;
    }

    /** The databases say this of every stream of the resource as it is now. */
    Sight checked(String flaw) {
        checks = resource.getSpec().streams().stream().collect(Collectors.toMap(stream -> stream, stream -> flaw));
        return this;
    }

    Observed seen() {
        return new Observed(NOW, resource, PREFIX, workload, pods, state, page, obstacle, secretsHash, checks);
    }

    Plan plan() {
        return Planner.plan(seen());
    }

    /** Of the resource as it is now, with all its streams. */
    String hash() {
        return Together.hash(resource.getSpec(), resource.getSpec().streams());
    }

    static Observed.Workload workload(int pods, String hash, boolean settled) {
        return new Observed.Workload(
                pods, hash, "replicator:1", "shop-0a1b2c3d", "app=shop", settled, Optional.empty(), List.of());
    }

    /** The same, and its configuration names these streams. */
    static Observed.Workload running(Observed.Workload one, List<Stream> streams) {
        return new Observed.Workload(
                one.pods(),
                one.togetherHash(),
                one.image(),
                one.configMap(),
                one.selector(),
                one.settled(),
                one.refusal(),
                streams);
    }

    static Observed.PodSeen pod(String name, boolean ready, boolean marked) {
        return new Observed.PodSeen(name, ready, marked, Optional.empty(), "", Optional.empty());
    }

    StateSeen.Row row(String pod, Stage stage, boolean fatal) {
        return row(pod, stage, fatal, Optional.of(NOW.minusSeconds(2)), members());
    }

    static StateSeen.Row row(
            String pod, Stage stage, boolean fatal, Optional<Instant> movedAt, List<StateSeen.StreamSeen> streams) {
        return new StateSeen.Row(
                NOW.minusSeconds(3).toEpochMilli(),
                7,
                fatal,
                stage,
                fatal ? "UNFIT_RECORD: stream goods/feed" : "",
                pod.isEmpty() ? "" : "lock_" + pod + "_0b1c",
                !pod.isEmpty(),
                movedAt,
                streams);
    }

    List<StateSeen.StreamSeen> members() {
        return resource.getSpec().streams().stream().map(this::member).toList();
    }

    private StateSeen.StreamSeen member(Stream stream) {
        return new StateSeen.StreamSeen(
                StreamKey.of(stream, resource.getSpec().source()),
                Membership.MEMBER,
                "/Root/copy/" + stream.destinationTable(),
                "");
    }

    static StateSeen.StreamSeen stream(String topic, Membership membership) {
        return stream(topic, membership, "");
    }

    static StateSeen.StreamSeen stream(String topic, Membership membership, String table) {
        return new StateSeen.StreamSeen(new StreamKey("/Root/shop/" + topic, "copy"), membership, table, "");
    }
}
