package io.aardappel.replicator.core;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a stream can still be read from its beginning, as its initial scan has to be: what the consumer is not given is
 * missing from the copy, and nothing would tell. Stateless.
 */
public final class Beginning {
    /**
     * What a consumer is not given any more.
     *
     * @param what names consumer, partition and offsets; no whole sentence
     * @param forgotten whether the topic has it no more, so that another consumer would not be given it either
     */
    public record Lack(String what, boolean forgotten) {
        /** What to do, a sentence without its full stop. */
        public String remedy(StreamSpec stream) {
            return forgotten
                    ? "Make the changefeed of " + stream.topic()
                            + " anew, with INITIAL_SCAN = TRUE and a longer retention, and its consumer"
                    : "Name a consumer that has read nothing, or drop consumer " + stream.consumer() + " of "
                            + stream.topic() + " and add it again, if nothing else reads by it";
        }
    }

    private Beginning() {}

    /** The first thing that is lacking, what is forgotten before what was read; empty when everything will be given. */
    public static Optional<Lack> lack(StreamSpec stream, List<PartitionInfo> partitions) {
        Set<Long> known = partitions.stream().map(PartitionInfo::id).collect(Collectors.toSet());
        return partitions.stream()
                .flatMap(partition -> forgotten(partition, known).stream())
                .findFirst()
                .or(() -> partitions.stream()
                        .filter(partition -> partition.committedOffset() > partition.startOffset())
                        .findFirst()
                        .map(partition -> read(stream, partition)));
    }

    private static Optional<Lack> forgotten(PartitionInfo partition, Set<Long> known) {
        if (partition.startOffset() > 0) {
            return Optional.of(new Lack(
                    "its topic keeps partition %d from offset %d on only, and has forgotten what was before"
                            .formatted(partition.id(), partition.startOffset()),
                    true));
        }
        boolean orphan =
                !partition.parents().isEmpty() && partition.parents().stream().noneMatch(known::contains);
        return orphan
                ? Optional.of(new Lack(
                        "its topic has forgotten partition %d, of which partition %d was made"
                                .formatted(partition.parents().get(0), partition.id()),
                        true))
                : Optional.empty();
    }

    private static Lack read(StreamSpec stream, PartitionInfo partition) {
        return new Lack(
                "consumer %s has read partition %d up to offset %d already; the changes from %d on would be missing from the copy"
                        .formatted(
                                stream.consumer(),
                                partition.id(),
                                partition.committedOffset(),
                                partition.startOffset()),
                false);
    }
}
