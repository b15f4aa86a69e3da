package io.aardappel.operator.act;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.Action;
import io.aardappel.operator.plan.Digest;
import io.aardappel.operator.resources.Names;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tells of what changed, in the log and as Events of the resource. An Event that cannot be written holds nothing else up. */
public final class Announcer {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
    /** The API server takes no more, in bytes. */
    private static final int NOTE_BYTES_MAX = 1_000;

    private static final String CUT = "…";

    private static final int ALREADY_EXISTS = 409;
    private static final int DIGITS = 16;

    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final String instance;
    private final InstantSource clock;
    /** By the resource's uid. */
    private final Map<String, Action.Tell> told = new ConcurrentHashMap<>();

    /**
     * Tells by this client.
     *
     * @param instance of the operator, such as its pod's name
     */
    public Announcer(KubernetesClient client, String instance, InstantSource clock) {
        this.client = client;
        this.instance = instance;
        this.clock = clock;
    }

    /** The same twice in a row is told once: a pass may begin with the status of before the last one. */
    void tell(Replication resource, Action.Tell tell) {
        if (tell.equals(told.put(resource.getMetadata().getUid(), tell))) {
            return;
        }
        LOG.atLevel(tell.warning() ? Level.WARN : Level.INFO)
                .addKeyValue("namespace", resource.getMetadata().getNamespace())
                .addKeyValue("name", resource.getMetadata().getName())
                .addKeyValue("generation", resource.getMetadata().getGeneration())
                .addKeyValue("reason", tell.reason().word())
                .log(tell.note());
        try {
            client.events()
                    .v1()
                    .events()
                    .inNamespace(resource.getMetadata().getNamespace())
                    .resource(event(resource, tell, clock.instant()))
                    .create();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == ALREADY_EXISTS) {
                return;
            }
            LOG.atWarn()
                    .addKeyValue("namespace", resource.getMetadata().getNamespace())
                    .addKeyValue("name", resource.getMetadata().getName())
                    .log("an Event could not be written: {}", Refusal.words(refused));
        }
    }

    /** The resource is gone. */
    void forget(Replication resource) {
        told.remove(resource.getMetadata().getUid());
    }

    private Event event(Replication resource, Action.Tell tell, Instant now) {
        return new EventBuilder()
                .withNewMetadata()
                .withName(name(resource, tell, now))
                .withNamespace(resource.getMetadata().getNamespace())
                .endMetadata()
                .withNewRegarding()
                .withApiVersion(Replication.GROUP + "/" + Replication.VERSION)
                .withKind("Replication")
                .withName(resource.getMetadata().getName())
                .withNamespace(resource.getMetadata().getNamespace())
                .withUid(resource.getMetadata().getUid())
                .endRegarding()
                .withType(tell.warning() ? "Warning" : "Normal")
                .withReason(tell.reason().word())
                .withAction("Reconcile")
                .withNote(cut(tell.note()))
                .withEventTime(new MicroTime(MICROSECONDS.format(now)))
                .withReportingController(Replication.GROUP + "/" + Names.MANAGER)
                .withReportingInstance(instance)
                .build();
    }

    /** One of its own for each: where the answer to its creation was lost, asking again makes no second one. */
    private static String name(Replication resource, Action.Tell tell, Instant now) {
        String name = resource.getMetadata().getName();
        String what =
                String.join("\n", resource.getMetadata().getUid(), tell.reason().word(), tell.note(), now.toString());
        return name.substring(0, Math.min(name.length(), 200)) + "." + Digest.of(what, DIGITS);
    }

    /** At a border of characters, whatever they are: a note that is too long in bytes would be refused as a whole. */
    static String cut(String note) {
        if (note.getBytes(StandardCharsets.UTF_8).length <= NOTE_BYTES_MAX) {
            return note;
        }
        int left = NOTE_BYTES_MAX - CUT.getBytes(StandardCharsets.UTF_8).length;
        int end = 0;
        while (end < note.length()) {
            int next = note.offsetByCodePoints(end, 1);
            left -= note.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            if (left < 0) {
                break;
            }
            end = next;
        }
        return note.substring(0, end) + CUT;
    }
}
