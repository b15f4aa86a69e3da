package io.aardappel.bench.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What some partitions hold: so many changes between two barriers as one transaction takes, and so many of such portions.
 * Positions rise within a partition and are mixed over all of them.
 */
final class Feed {
    static final int PARTITIONS = 4;
    /** Changes of a portion, over all partitions. */
    static final int PORTION = 10_000;

    static final int PORTIONS = 20;

    private static final long SEED = 7;

    /** Messages of a partition's portion, the last one a barrier. */
    private final List<List<List<byte[]>>> messages = new ArrayList<>();

    Feed() {
        SplittableRandom random = new SplittableRandom(SEED);
        int number = 0;
        for (int portion = 0; portion < PORTIONS; portion++) {
            List<List<byte[]>> ofPartitions = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ofPartitions.add(new ArrayList<>());
            }
            for (int i = 0; i < PORTION; i++) {
                ofPartitions.get(random.nextInt(PARTITIONS)).add(Messages.change(number));
                number++;
            }
            for (List<byte[]> ofPartition : ofPartitions) {
                ofPartition.add(Messages.barrier(number));
            }
            messages.add(ofPartitions);
        }
    }

    /** In the order of the topic. */
    List<byte[]> portion(int portion, int partition) {
        return messages.get(portion).get(partition);
    }
}
