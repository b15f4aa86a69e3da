package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A patient lane")
class PatientLaneTest {
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final PatientLane lane = new PatientLane(Runnable::run, later::add);
    private boolean ready;

    private PatientLane.Task task(String name) {
        return () -> {
            ran.add(name);
            return true;
        };
    }

    private PatientLane.Task waiting(String name) {
        return () -> {
            ran.add(name + (ready ? "" : "?"));
            return ready;
        };
    }

    @Test
    void runsInTheOrderGiven() {
        lane.execute(task("a"));
        lane.execute(task("b"));
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void holdsBackWhatComesBehindATaskThatWaits() {
        lane.execute(waiting("a"));
        lane.execute(task("b"));
        assertThat(ran).containsExactly("a?");
    }

    @Test
    void runsATaskThatWaitsAgainUntilItIsDoneAndThenTheRest() {
        lane.execute(waiting("a"));
        lane.execute(task("b"));
        lane.execute(waiting("c"));
        later.remove().run();
        ready = true;
        later.remove().run();
        assertThat(ran).containsExactly("a?", "a?", "a", "b", "c");
        assertThat(later).isEmpty();
    }

    @Test
    void goesOnBehindATaskThatFails() {
        assertThatThrownBy(() -> lane.execute(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        lane.execute(task("b"));
        assertThat(ran).containsExactly("b");
    }
}
