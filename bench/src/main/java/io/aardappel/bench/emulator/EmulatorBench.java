package io.aardappel.bench.emulator;

import io.aardappel.bench.process.EmulatorProcess;
import io.aardappel.bench.process.Usage;
import io.aardappel.bench.report.Overview;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Measures what benchmarks of others stand on: how fast the emulator hands out a topic, and how fast it takes rows with a
 * changefeed on. Prints the median of five runs and writes {@code bench/results/emulator.json} and {@code .md}.
 */
public final class EmulatorBench {
    private static final int RUNS = 5;
    private static final long READ_AIM = 300_000;
    private static final long WRITE_AIM = 20_000;
    private static final int RECORDS_PER_PARTITION = 125_000;
    private static final int BATCHES_PER_RUN = 100;
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    private EmulatorBench() {}

    /**
     * Measures and writes the results.
     *
     * @param arguments the folder for the results
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "bench/results");
        List<Figure> figures = List.of(reading(), writing());
        Files.createDirectories(folder);
        Results results = new Results("emulator", figures);
        Files.writeString(folder.resolve("emulator.json"), results.json());
        Files.writeString(folder.resolve("emulator.md"), results.markdown());
        Overview.write(folder);
        System.out.println("results: " + folder.resolve("emulator.md"));
        System.exit(figures.stream().allMatch(Figure::reached) ? 0 : 1);
    }

    private static Figure reading() {
        try (EmulatorProcess emulator = EmulatorProcess.start()) {
            ManagedChannel channel = NettyChannelBuilder.forAddress(emulator.host(), emulator.port())
                    .usePlaintext()
                    .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                    .build();
            try {
                TopicReading reading = new TopicReading(channel, RECORDS_PER_PARTITION);
                System.out.printf("filling a topic with %,d records%n", reading.records());
                reading.fill(channel, RUNS + 1);
                return measure(
                        "topic records read", READ_AIM, reading.records(), emulator, run -> reading.read("c" + run));
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static Figure writing() {
        try (EmulatorProcess emulator = EmulatorProcess.start();
                RowWriting writing = new RowWriting(emulator.url())) {
            writing.create();
            return measure(
                    "rows written with a changefeed",
                    WRITE_AIM,
                    (long) BATCHES_PER_RUN * RowWriting.BATCH_ROWS,
                    emulator,
                    run -> writing.write(BATCHES_PER_RUN));
        }
    }

    /** One run to warm up, then the ones that count. */
    private static Figure measure(String name, long aim, long count, EmulatorProcess emulator, IntConsumer work) {
        work.accept(0);
        List<Figure.Run> runs = new ArrayList<>();
        for (int run = 1; run <= RUNS; run++) {
            Duration cpuBefore = cpu(emulator);
            long began = System.nanoTime();
            work.accept(run);
            long nanos = System.nanoTime() - began;
            double cpuMicros = cpu(emulator).minus(cpuBefore).toNanos() / 1e3 / count;
            runs.add(new Figure.Run(count * TimeUnit.SECONDS.toNanos(1) / nanos, cpuMicros));
        }
        Figure figure = new Figure(name, aim, runs);
        System.out.println(figure.line());
        return figure;
    }

    private static Duration cpu(EmulatorProcess emulator) {
        return emulator.cpu().plus(Usage.cpu(ProcessHandle.current()));
    }
}
