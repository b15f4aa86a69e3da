package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A serial lane")
class SerialLaneTest {
    private final Queue<Runnable> pool = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();

    private void runAll() {
        Runnable turn = pool.poll();
        while (turn != null) {
            turn.run();
            turn = pool.poll();
        }
    }

    @Test
    void runsInTheOrderGiven() {
        SerialLane lane = new SerialLane(pool::add);
        lane.execute(() -> {
            ran.add("a");
            lane.execute(() -> ran.add("c"));
        });
        lane.execute(() -> ran.add("b"));
        runAll();
        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void takesTurnsWithOthers() {
        SerialLane busy = new SerialLane(pool::add);
        SerialLane other = new SerialLane(pool::add);
        IntStream.range(0, 1000).forEach(i -> busy.execute(() -> ran.add("busy")));
        other.execute(() -> ran.add("other"));
        runAll();
        assertThat(ran).hasSize(1001);
        assertThat(ran.indexOf("other")).isLessThan(100);
    }

    @Test
    void goesOnAfterATaskThatFails() {
        SerialLane lane = new SerialLane(task -> pool.add(() -> {
            try {
                task.run();
            } catch (IllegalStateException expected) {
                ran.add("failed");
            }
        }));
        lane.execute(() -> {
            throw new IllegalStateException();
        });
        lane.execute(() -> ran.add("next"));
        runAll();
        assertThat(ran).containsExactly("failed", "next");
    }

    @Test
    void losesAndReordersNothingAmongThreads() throws InterruptedException {
        int givers = 4;
        int each = 10_000;
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(givers * each);
        ExecutorService threads = Executors.newFixedThreadPool(givers + 2);
        SerialLane lane = new SerialLane(threads);
        try {
            for (int giver = 0; giver < givers; giver++) {
                int base = giver * each;
                threads.execute(() -> IntStream.range(0, each)
                        .forEach(i -> lane.execute(() -> {
                            seen.add(base + i);
                            done.countDown();
                        })));
            }
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutdownNow();
        }
        for (int giver = 0; giver < givers; giver++) {
            int base = giver * each;
            assertThat(seen.stream().filter(number -> number / each == base / each))
                    .isEqualTo(IntStream.range(base, base + each).boxed().toList());
        }
    }
}
