package io.aardappel.bench.drain;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The program that the replicator is measured against: reads the topics and drops what it reads, then writes as many rows,
 * which it has in memory, in transactions of the size that the replicator makes. Each twice, so that the second time is that
 * of warm code.
 */
public final class BareProgram {
    private static final int TRANSACTION = 10_000;

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private BareProgram() {}

    /**
     * Prints processor time for a change in microseconds: for its start, for reading and writing the first time, for both
     * the second time.
     *
     * @param arguments host, port, changes of each time
     */
    public static void main(String[] arguments) {
        long changes = Long.parseLong(arguments[2]);
        List<Double> micros = new ArrayList<>();
        micros.add(SYSTEM.getProcessCpuTime() / 1e3 / changes);
        List<Row> rows = Row.all();
        try (BareYdb ydb = new BareYdb(arguments[0], Integer.parseInt(arguments[1]))) {
            for (int time = 1; time <= 2; time++) {
                String consumer = "bare" + time;
                micros.add(cpu(changes, () -> ydb.read(Backlog.topics(), consumer, changes)));
                micros.add(cpu(changes, () -> write(ydb, rows, changes)));
            }
        }
        micros.forEach(each -> System.out.println(String.format(Locale.ROOT, "%.4f", each)));
        System.exit(0);
    }

    /** As the replicator does, every transaction goes into all tables. */
    private static void write(BareYdb ydb, List<Row> rows, long changes) {
        int share = TRANSACTION / Backlog.TABLES;
        int first = 0;
        for (long written = 0; written < changes; written += TRANSACTION) {
            Map<String, List<Row>> transaction = new TreeMap<>();
            for (String table : Backlog.names("bare")) {
                transaction.put(table, rows.subList(first, first + share));
            }
            ydb.upsert(transaction);
            first = (first + share) % Row.DIFFERENT;
        }
    }

    private static double cpu(long changes, Runnable work) {
        long began = SYSTEM.getProcessCpuTime();
        work.run();
        return (SYSTEM.getProcessCpuTime() - began) / 1e3 / changes;
    }
}
