package io.aardappel.replicator.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.PartitionStatus;
import io.aardappel.replicator.engine.EngineStatus.StreamStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The engine's snapshot as JSON. Positions are {@code {"step": "…", "tx": "…"}}, decimal text because the second member
 * may exceed what JSON readers take for a number. Times are ISO 8601.
 */
final class StatusPage {
    /** Partitions listed for each stream at most: the most silent ones. */
    static final int PARTITIONS_MAX = 20;

    private static final JsonFactory JSON = new JsonFactory();

    private final String instanceId;
    private final StreamLabels labels;

    StatusPage(String instanceId, StreamLabels labels) {
        this.instanceId = instanceId;
        this.labels = labels;
    }

    /**
     * The page.
     *
     * @param waitsFor what the start waits for while there is no engine
     * @param now wall clock in milliseconds
     */
    String render(Optional<EngineStatus> status, List<String> waitsFor, long now) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeStringField("instanceId", instanceId);
            if (status.isPresent()) {
                write(json, status.get(), now);
            } else {
                json.writeStringField("mode", "preflight");
                json.writeArrayFieldStart("waitsFor");
                for (String words : waitsFor) {
                    json.writeString(words);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
        return text.append('\n').toString();
    }

    private void write(JsonGenerator json, EngineStatus status, long now) throws IOException {
        json.writeStringField("mode", EngineCollector.lower(status.mode()));
        json.writeStringField("stage", status.stage().map(Enum::name).orElse(null));
        position(json, "checkpoint", status.checkpoint());
        if (status.checkpoint().isPresent() && status.checkpoint().get().step() != 0) {
            json.writeStringField(
                    "checkpointTime", time(status.checkpoint().get().step()));
            json.writeNumberField(
                    "lagSeconds", EngineCollector.lagSeconds(status.checkpoint().get(), now));
        }
        if (status.lastKnown().isPresent()) {
            EngineStatus.LastKnown known = status.lastKnown().get();
            position(json, "lastKnownCheckpoint", Optional.of(known.checkpoint()));
            json.writeStringField("notConfirmedSince", time(known.at()));
        }
        json.writeBooleanField("aligned", status.aligned());
        lock(json, status.lock());
        scan(json, status);
        blocking(json, status);
        json.writeStringField("lastProgress", time(status.lastProgressAt()));
        position(json, "quorum", status.quorum());
        json.writeObjectFieldStart("memory");
        json.writeNumberField("bufferedBytes", status.bufferedBytes());
        json.writeNumberField("bufferedChanges", status.bufferedChanges());
        json.writeNumberField("budgetBytes", status.memoryBytes());
        json.writeEndObject();
        totals(json, status.totals());
        json.writeStringField("problem", status.problem().map(p -> p.text()).orElse(null));
        json.writeArrayFieldStart("streams");
        for (int i = 0; i < status.streams().size(); i++) {
            stream(json, labels.tag(i), status.streams().get(i), now);
        }
        json.writeEndArray();
        json.writeStringField("at", time(status.at()));
    }

    private static void lock(JsonGenerator json, EngineStatus.Lock lock) throws IOException {
        json.writeObjectFieldStart("lock");
        json.writeBooleanField("held", lock.held());
        json.writeStringField("owner", lock.owner());
        json.writeStringField("since", time(lock.since()));
        json.writeStringField("until", lock.horizon() == 0 ? null : time(lock.horizon()));
        json.writeEndObject();
    }

    private static void scan(JsonGenerator json, EngineStatus status) throws IOException {
        if (status.scanPhase() == ScanPhase.NONE) {
            return;
        }
        json.writeObjectFieldStart("scan");
        json.writeStringField("phase", EngineCollector.lower(status.scanPhase()));
        position(json, "endsAbove", Optional.of(status.scanMaximum()));
        json.writeEndObject();
    }

    private static void blocking(JsonGenerator json, EngineStatus status) throws IOException {
        if (status.blocking().isEmpty()) {
            json.writeNullField("blocking");
            return;
        }
        EngineStatus.Blocking blocking = status.blocking().get();
        json.writeObjectFieldStart("blocking");
        json.writeStringField("reason", blocking.reason().word());
        json.writeStringField("stream", blocking.stream());
        if (blocking.partition() >= 0) {
            json.writeNumberField("partition", blocking.partition());
        }
        json.writeStringField("since", time(blocking.since()));
        json.writeStringField("why", blocking.text());
        json.writeEndObject();
    }

    private static void totals(JsonGenerator json, EngineStatus.Totals totals) throws IOException {
        json.writeObjectFieldStart("totals");
        json.writeNumberField("records", totals.records());
        json.writeNumberField("changes", totals.changes());
        json.writeNumberField("rows", totals.rows());
        json.writeNumberField("bytes", totals.bytes());
        json.writeNumberField("transactions", totals.transactions());
        json.writeNumberField("droppedAsApplied", totals.droppedAsApplied());
        json.writeNumberField("duplicates", totals.duplicates());
        json.writeNumberField("ignoredBarriers", totals.ignoredBarriers());
        json.writeNumberField("late", totals.late());
        json.writeNumberField("unfit", totals.unfit());
        json.writeNumberField("filtered", totals.filtered());
        json.writeNumberField("appliedByDecision", totals.appliedByDecision());
        json.writeNumberField("skippedByDecision", totals.skippedByDecision());
        json.writeNumberField("lockTerms", totals.terms());
        json.writeEndObject();
    }

    private static void stream(JsonGenerator json, String tag, StreamStatus stream, long now) throws IOException {
        json.writeStartObject();
        json.writeStringField("topic", stream.topic());
        json.writeStringField("consumer", stream.consumer());
        json.writeStringField("table", stream.table());
        json.writeStringField("tag", tag);
        json.writeStringField("state", EngineCollector.lower(stream.state()));
        json.writeNumberField("changes", stream.changes());
        json.writeNumberField("partitionCount", stream.parts());
        json.writeNumberField("partitionsWithHeartbeat", stream.partsThatSpoke());
        history(json, stream.history(), now);
        json.writeArrayFieldStart("partitions");
        List<PartitionStatus> worst = stream.partitions().stream()
                .sorted(Comparator.comparingLong(PartitionStatus::barrierAt))
                .limit(PARTITIONS_MAX)
                .toList();
        for (PartitionStatus partition : worst) {
            partition(json, partition, now);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void history(JsonGenerator json, Optional<EngineStatus.History> history, long now)
            throws IOException {
        if (history.isEmpty()) {
            json.writeNullField("history");
            return;
        }
        json.writeObjectFieldStart("history");
        json.writeNumberField("leftSeconds", EngineCollector.secondsLeft(history.get(), now));
        json.writeNumberField("retentionSeconds", history.get().retentionMillis() / 1_000.0);
        if (history.get().partition() >= 0) {
            json.writeNumberField("partition", history.get().partition());
        }
        json.writeEndObject();
    }

    private static void partition(JsonGenerator json, PartitionStatus partition, long now) throws IOException {
        json.writeStartObject();
        json.writeNumberField("partition", partition.partition());
        json.writeBooleanField("live", partition.live());
        json.writeBooleanField("session", partition.session());
        json.writeBooleanField("parked", partition.parked());
        position(json, "heartbeat", partition.barrier());
        json.writeNumberField("heartbeatAgeSeconds", EngineCollector.secondsSince(partition.barrierAt(), now));
        json.writeNumberField("bufferedBytes", partition.bufferedBytes());
        json.writeNumberField("bufferedChanges", partition.bufferedChanges());
        json.writeNumberField("nextOffset", partition.nextOffset());
        json.writeNumberField("committedOffset", partition.committedOffset());
        json.writeNumberField("endOffset", partition.endOffset());
        json.writeEndObject();
    }

    private static void position(JsonGenerator json, String name, Optional<Position> position) throws IOException {
        if (position.isEmpty()) {
            json.writeNullField(name);
            return;
        }
        json.writeObjectFieldStart(name);
        json.writeStringField("step", Long.toUnsignedString(position.get().step()));
        json.writeStringField("tx", Long.toUnsignedString(position.get().txId()));
        json.writeEndObject();
    }

    /** A step beyond every calendar is shown as the last moment that has a name. */
    private static String time(long millis) {
        return millis < 0
                ? Instant.MAX.toString()
                : Instant.ofEpochMilli(millis).toString();
    }
}
