package io.aardappel.bench.operator;

import io.aardappel.bench.process.Await;
import io.aardappel.bench.process.OperatorProgram;
import io.aardappel.bench.process.OperatorProgram.Work;
import io.aardappel.kube.junit.KubeApiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The operator with so many resources: from their making to rest, to moving checkpoints, to changes. */
final class ScaleRun {
    /** The operator's default. */
    static final Duration POLL_PERIOD = Duration.ofSeconds(10);

    static final Duration WATCHED = Duration.ofMinutes(1);
    private static final int SAMPLES_MAX = 200;
    /** Each may wait for a poll period: few resources would take long. */
    private static final int SAMPLES_OF_EACH_MAX = 4;

    /** So old that a lag in days stays the same word for hours. */
    private static final Duration OLD = Duration.ofDays(30);

    private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(100);
    private static final Duration BETWEEN_CHECKPOINTS = Duration.ofSeconds(2);
    private static final long SEED = 5;

    /**
     * What was seen.
     *
     * @param resources how many there were
     * @param configured from the making of the first to the condition Configured of the last
     * @param creating of that, until the last was made
     * @param rest what it did in a minute in which nothing changed
     * @param moving what it did in a minute in which all checkpoints moved
     * @param rowToStatus 99th percentile, from the commit of a row to a status that has it
     * @param editToDeployment 99th percentile, from the edit of a resource to its Deployment
     * @param residentMib at its peak
     */
    record Figures(
            int resources,
            Duration configured,
            Duration creating,
            Work rest,
            Work moving,
            Duration rowToStatus,
            Duration editToDeployment,
            double residentMib) {}

    private final OperatorProgram operator;
    private final Fleet fleet;
    private final StateRows rows;
    /** In which resources are changed. */
    private final List<Integer> order;

    private ScaleRun(OperatorProgram operator, Fleet fleet, StateRows rows) {
        this.operator = operator;
        this.fleet = fleet;
        this.rows = rows;
        this.order = new ArrayList<>(all(fleet.size()));
        Collections.shuffle(order, new Random(SEED));
    }

    /**
     * Runs with an API server of its own.
     *
     * @param url of a database
     * @param program path of {@code bin/operator}
     */
    static Figures of(int resources, String url, Path program, String heap) {
        try (KubeApiServer server = KubeApiServer.start();
                StateRows rows = new StateRows(url, "state_of_" + resources + "_")) {
            Definition.install(server.client());
            String namespace = server.newNamespace();
            rows.define(resources);
            rows.put(all(resources), Instant.now().minus(OLD).toEpochMilli());
            try (Fleet fleet = new Fleet(server.client(), namespace, rows, resources);
                    OperatorProgram operator = OperatorProgram.start(
                            program, Files.createTempDirectory("aardappel-operator"), server.kubeconfig(), heap)) {
                operator.awaitReady();
                return new ScaleRun(operator, fleet, rows).figures();
            } catch (IOException e) {
                throw new UncheckedIOException("no folder for the operator's files", e);
            }
        }
    }

    private static List<Integer> all(int resources) {
        return IntStream.range(0, resources).boxed().toList();
    }

    private Figures figures() {
        long began = System.nanoTime();
        fleet.apply();
        Duration creating = since(began);
        untilAll("Configured");
        Duration configured = since(began);
        untilAtRest();
        Work rest = watched(() -> {});
        Work moving = watched(this::moveAll);
        Duration rowToStatus = rowsToStatuses();
        Duration edits = editsToDeployments();
        return new Figures(
                fleet.size(), configured, creating, rest, moving, rowToStatus, edits, operator.peakResidentMib());
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private void untilAll(String condition) {
        Await.until(fleet.size() + " resources are " + condition, () -> fleet.with(condition) == fleet.size());
    }

    /** A whole poll period has passed without a write. */
    private void untilAtRest() {
        long[] last = {operator.work().writes(), System.nanoTime()};
        Await.until("rest", () -> {
            long now = operator.work().writes();
            if (now != last[0]) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return since(last[1]).compareTo(POLL_PERIOD.multipliedBy(2)) > 0;
        });
    }

    private Work watched(Runnable meanwhile) {
        Work before = operator.work();
        long began = System.nanoTime();
        while (since(began).compareTo(WATCHED) < 0) {
            meanwhile.run();
            LockSupport.parkNanos(BETWEEN_CHECKPOINTS.toNanos());
        }
        return operator.work().since(before);
    }

    private void moveAll() {
        rows.put(all(fleet.size()), Instant.now().toEpochMilli());
    }

    /** A thing that was changed, and when. */
    private record Sample(int number, long changed, long value) {}

    private Duration rowsToStatuses() {
        long first = Instant.now().toEpochMilli();
        return slowest(
                sample -> {
                    rows.put(List.of(number(sample)), first + sample);
                    return new Sample(number(sample), System.nanoTime(), first + sample);
                },
                sample -> fleet.checkpoint(sample.number(), sample.value()));
    }

    private Duration editsToDeployments() {
        return slowest(
                sample -> {
                    long changed = System.nanoTime();
                    fleet.edit(number(sample), "edit" + sample);
                    return new Sample(number(sample), changed, sample);
                },
                sample -> fleet.edited(sample.number(), "edit" + sample.value()));
    }

    /** Never one whose last change may still be unseen: of a few resources each is changed again only in the next round. */
    private int number(int sample) {
        return order.get(sample % order.size());
    }

    private interface Sight {
        OptionalLong of(Sample sample);
    }

    /** The 99th percentile over all samples. */
    private Duration slowest(IntFunction<Sample> change, Sight sight) {
        List<Duration> took = new ArrayList<>();
        List<Sample> waiting = new ArrayList<>();
        int samples = Math.min(SAMPLES_MAX, fleet.size() * SAMPLES_OF_EACH_MAX);
        int atOnce = Math.min(fleet.size(), samples);
        for (int sample = 0; sample < samples; sample++) {
            waiting.add(change.apply(sample));
            LockSupport.parkNanos(BETWEEN_SAMPLES.toNanos());
            if (waiting.size() == atOnce || sample == samples - 1) {
                Await.until(
                        "all changes are seen",
                        () -> waiting.stream().allMatch(one -> sight.of(one).isPresent()));
                waiting.forEach(one -> took.add(Duration.ofNanos(sight.of(one).orElseThrow() - one.changed())));
                waiting.clear();
            }
        }
        return took.stream().sorted().skip(samples * 99L / 100).findFirst().orElseThrow();
    }
}
