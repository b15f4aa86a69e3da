package io.aardappel.emulator.model.topic;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Works out what a topic's settings become under changes, and refuses what YDB refuses. */
final class TopicAlteration {
    private final boolean feed;
    private final Map<String, TopicSpec.ConsumerSpec> consumers = new LinkedHashMap<>();
    private final Set<String> dropped = new HashSet<>();
    private TopicSpec spec;

    TopicAlteration(TopicSpec spec, boolean feed) {
        this.spec = spec;
        this.feed = feed;
        spec.consumers().forEach(consumer -> consumers.put(consumer.name(), consumer));
    }

    void add(TopicSpec.Change change) {
        if (change instanceof TopicSpec.Change.AddConsumer added) {
            addConsumer(added.consumer());
        } else if (change instanceof TopicSpec.Change.DropConsumer gone) {
            if (consumers.remove(gone.name()) == null) {
                throw absent(gone.name());
            }
            dropped.add(gone.name());
        } else if (change instanceof TopicSpec.Change.AlterConsumer altered) {
            if (consumers.replace(altered.consumer().name(), altered.consumer()) == null) {
                throw absent(altered.consumer().name());
            }
        } else if (change instanceof TopicSpec.Change.SetRetention retention) {
            spec = with(retention);
        } else {
            addSetting(change);
        }
    }

    private void addSetting(TopicSpec.Change change) {
        if (feed) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "%s belongs to a changefeed: only its consumers and its retention can be changed"
                            .formatted(spec.path()));
        }
        if (change instanceof TopicSpec.Change.SetCodecs codecs) {
            spec = copy(spec, spec.attributes(), codecs.codecs(), spec.tuning());
        } else if (change instanceof TopicSpec.Change.SetPartitioning partitioning) {
            spec = with(partitioning);
        } else if (change instanceof TopicSpec.Change.SetTuning tuning) {
            spec = copy(spec, spec.attributes(), spec.codecs(), tuning.tuning());
        } else if (change instanceof TopicSpec.Change.SetAttributes attributes) {
            spec = copy(spec, attributes.attributes(), spec.codecs(), spec.tuning());
        } else {
            throw new IllegalArgumentException("unknown change " + change);
        }
    }

    TopicSpec result() {
        return new TopicSpec(
                spec.path(),
                spec.minActivePartitions(),
                spec.maxActivePartitions(),
                spec.autoPartitioning(),
                spec.retention(),
                spec.codecs(),
                List.copyOf(consumers.values()),
                spec.attributes(),
                spec.tuning());
    }

    /** Consumers that lose their offsets, even when one of the name is added again. */
    Set<String> dropped() {
        return dropped;
    }

    private void addConsumer(TopicSpec.ConsumerSpec consumer) {
        if (consumer.name().isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "a consumer of %s needs a name".formatted(spec.path()));
        }
        if (consumers.putIfAbsent(consumer.name(), consumer) != null) {
            throw new YdbException(
                    Status.ALREADY_EXISTS,
                    "topic %s has a consumer '%s' already".formatted(spec.path(), consumer.name()));
        }
    }

    private YdbException absent(String consumer) {
        return new YdbException(Status.NOT_FOUND, "topic %s has no consumer '%s'".formatted(spec.path(), consumer));
    }

    private TopicSpec with(TopicSpec.Change.SetRetention change) {
        return new TopicSpec(
                spec.path(),
                spec.minActivePartitions(),
                spec.maxActivePartitions(),
                spec.autoPartitioning(),
                change.retention(),
                spec.codecs(),
                spec.consumers(),
                spec.attributes(),
                spec.tuning());
    }

    private TopicSpec with(TopicSpec.Change.SetPartitioning change) {
        if (change.minActivePartitions() < spec.minActivePartitions()) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "topic %s has %d partitions at least, that cannot become less"
                            .formatted(spec.path(), spec.minActivePartitions()));
        }
        boolean auto = auto(change.autoPartitioning());
        int strategy = auto ? Math.max(TopicSpec.Tuning.SCALE_UP, spec.tuning().strategy()) : TopicSpec.Tuning.DISABLED;
        return new TopicSpec(
                spec.path(),
                change.minActivePartitions(),
                change.maxActivePartitions(),
                auto,
                spec.retention(),
                spec.codecs(),
                spec.consumers(),
                spec.attributes(),
                spec.tuning().withStrategy(strategy));
    }

    private boolean auto(@Nullable Boolean wanted) {
        if (spec.autoPartitioning() && Boolean.FALSE.equals(wanted)) {
            throw new YdbException(
                    Status.BAD_REQUEST, "auto partitioning of %s cannot be switched off".formatted(spec.path()));
        }
        return wanted == null ? spec.autoPartitioning() : wanted;
    }

    private static TopicSpec copy(
            TopicSpec spec, Map<String, String> attributes, List<Integer> codecs, TopicSpec.Tuning tuning) {
        return new TopicSpec(
                spec.path(),
                spec.minActivePartitions(),
                spec.maxActivePartitions(),
                tuning.strategy() > TopicSpec.Tuning.DISABLED,
                spec.retention(),
                codecs,
                spec.consumers(),
                attributes,
                tuning);
    }
}
