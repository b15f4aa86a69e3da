package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.PartitionView;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.StreamSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what a description says of our consumers with what the server acknowledged in this term. (Whether one was moved
 * before it is the core's to judge, by what our rows say may have been committed.) Belongs to the engine's thread; for one
 * term.
 *
 * <p>A consumer that was moved forward makes the next reader pass over changes, so that ends the replication before one
 * does. One that was moved back costs nothing but time, since what was applied is recognised when it is read again. So that
 * is a warning, which tells where the extra reading comes from and that somebody else has a hand in this consumer. (A session
 * that begins in the same term below what was acknowledged is another matter: it may be one of a topic created anew, so the
 * core refuses it.)
 */
final class OffsetWatch {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetWatch.class);

    private final List<StreamSpec> streams;
    /** Below these a consumer cannot stand unless it was moved: as known before the description was asked for. */
    private final Map<PartitionId, Long> floors = new HashMap<>();

    private final Map<PartitionId, Long> told = new HashMap<>();

    OffsetWatch(List<StreamSpec> streams) {
        this.streams = streams;
    }

    /** The stream is about to be described: what is acknowledged by now, its answer must know. */
    void asked(int stream, List<PartitionView> views) {
        views.stream()
                .filter(view -> view.partition().stream() == stream)
                .forEach(view -> floors.merge(view.partition(), view.acknowledged(), Math::max));
    }

    /**
     * The stream is described, and the core knows it.
     *
     * @param views of this moment
     * @return why the term must end, empty when it need not
     */
    Optional<Problem> described(int stream, List<PartitionInfo> partitions, List<PartitionView> views) {
        Map<PartitionId, PartitionView> read = new HashMap<>();
        views.forEach(view -> read.put(view.partition(), view));
        List<Problem> ahead = new ArrayList<>();
        for (PartitionInfo info : partitions) {
            PartitionId id = new PartitionId(stream, info.id());
            PartitionView view = read.get(id);
            long readUpTo = view == null ? -1 : view.next();
            if (readUpTo >= 0 && info.committedOffset() > readUpTo) {
                ahead.add(ahead(id, info.committedOffset(), readUpTo, floors.getOrDefault(id, 0L)));
                continue;
            }
            long floor = floors.getOrDefault(id, 0L);
            if (info.committedOffset() < floor) {
                back(id, info, floor);
            } else {
                told.remove(id);
            }
        }
        return SameReason.asOne(ahead);
    }

    private Problem ahead(PartitionId id, long committed, long readUpTo, long ours) {
        return new Problem(
                Reason.OFFSETS_MOVED,
                "%s: the consumer stands at offset %d, but this process has read up to %d only (its place here is offset %d)"
                        .formatted(name(id), committed, readUpTo, ours),
                Anew.WHOSE_CONSUMER);
    }

    private void back(PartitionId id, PartitionInfo info, long floor) {
        Long before = told.put(id, info.committedOffset());
        if (before != null && before == info.committedOffset()) {
            return;
        }
        LOG.atWarn()
                .setMessage("consumer was moved back")
                .addKeyValue("stream", streams.get(id.stream()).topic())
                .addKeyValue("consumer", streams.get(id.stream()).consumer())
                .addKeyValue("partition", id.partition())
                .addKeyValue("committed", info.committedOffset())
                .addKeyValue("committed_before", floor)
                .addKeyValue("first_kept", info.startOffset())
                .addKeyValue(
                        "text",
                        "what is read again is recognised and left out; see who else uses this consumer, which must belong to"
                                + " this replication alone")
                .log();
    }

    private String name(PartitionId id) {
        return "stream %s (consumer %s), partition %d"
                .formatted(
                        streams.get(id.stream()).topic(),
                        streams.get(id.stream()).consumer(),
                        id.partition());
    }
}
