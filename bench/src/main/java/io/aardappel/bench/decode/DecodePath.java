package io.aardappel.bench.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.aardappel.replicator.codec.ChangeDecoder;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Membership;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Replication;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.Start;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.TableWrites;
import io.aardappel.replicator.core.TransactionBounds;
import io.aardappel.replicator.ydb.target.RowStatements;
import io.aardappel.replicator.ydb.target.TargetSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Time for one record; one thread does all of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls what is marked as set-up before anything else
public class DecodePath {
    private static final long SESSION = 1;
    private static final long MEMORY_BYTES = 256 << 20;
    /** Messages that are laid one behind the other: 64 KiB of them. */
    private static final int TOGETHER = 278;

    private static final StreamSpec STREAM = new StreamSpec("measured/feed", "replicator", "measured");
    private static final TargetSettings SETTINGS = TargetSettings.of(Duration.ofSeconds(20));

    private final Feed feed = new Feed();
    private final TableShape table = Messages.table();
    private final JsonFactory json = new JsonFactory();
    private final List<ChangeDecoder> decoders = new ArrayList<>();
    private final long[] next = new long[Feed.PARTITIONS];
    private Replication replication;
    private int portion;

    /** From the first portion on, as a replicator that has just loaded its state. */
    @Setup
    public void begin() {
        portion = 0;
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int partition = 0; partition < Feed.PARTITIONS; partition++) {
            partitions.add(new PartitionInfo(partition, true, List.of(), List.of(), 0, 0, 0));
        }
        SavedState saved =
                new SavedState(new Position(1, 0), "OK", "", Stage.RUN, Optional.empty(), List.of(), List.of());
        replication = new Replication(
                List.of(STREAM),
                TransactionBounds.DEFAULT,
                MEMORY_BYTES,
                Start.of(saved, Position.ZERO, List.of(STREAM)),
                new Membership(List.of(), List.of(), List.of()),
                List.of(),
                Rules.STANDARD);
        replication.described(0, partitions);
        decoders.clear();
        for (int partition = 0; partition < Feed.PARTITIONS; partition++) {
            next[partition] = 0;
            decoders.add(new ChangeDecoder(table, FeedImages.WRITTEN_COLUMNS));
            replication.sessionStarted(new PartitionId(0, partition), SESSION, 0, 0, 0);
        }
        replication.commands();
    }

    /** The floor of reading JSON at all. */
    @Benchmark
    @OperationsPerInvocation(Feed.PORTION)
    public int tokenise() throws IOException {
        int tokens = 0;
        for (int partition = 0; partition < Feed.PARTITIONS; partition++) {
            for (byte[] message : feed.portion(portion, partition)) {
                try (JsonParser parser = json.createParser(message)) {
                    while (parser.nextToken() != null) {
                        tokens++;
                    }
                }
            }
        }
        portion = (portion + 1) % Feed.PORTIONS;
        return tokens;
    }

    /** All that the replicator does with a record between the two networks. */
    @Benchmark
    @OperationsPerInvocation(Feed.PORTION)
    public void toParameters(Blackhole parameters) {
        for (int partition = 0; partition < Feed.PARTITIONS; partition++) {
            take(partition, feed.portion(portion, partition));
        }
        replication.commands();
        Batch batch = replication.next().orElseThrow();
        if (batch.changes() != Feed.PORTION) {
            throw new IllegalStateException("a transaction of " + batch.changes() + " changes");
        }
        for (TableWrites writes : batch.tables()) {
            parameters.consume(RowStatements.of(writes, table, SETTINGS));
        }
        replication.committed(batch);
        replication.commands();
        if (++portion == Feed.PORTIONS) {
            begin();
        }
    }

    private void take(int partition, List<byte[]> messages) {
        long[] offsets = new long[messages.size()];
        List<StreamRecord> records = new ArrayList<>(messages.size());
        for (int first = 0; first < messages.size(); first += TOGETHER) {
            decode(partition, messages.subList(first, Math.min(messages.size(), first + TOGETHER)), records);
        }
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = next[partition]++;
        }
        replication.records(new PartitionId(0, partition), SESSION, offsets, records, next[partition]);
    }

    /** As messages of one answer of the topic are decoded. */
    private void decode(int partition, List<byte[]> messages, List<StreamRecord> records) {
        byte[] buffer =
                new byte[messages.stream().mapToInt(message -> message.length).sum()];
        int end = 0;
        for (byte[] message : messages) {
            System.arraycopy(message, 0, buffer, end, message.length);
            end += message.length;
        }
        int from = 0;
        for (byte[] message : messages) {
            int to = from + message.length;
            records.add(decoders.get(partition).decodeNext(buffer, from, to, end));
            from = to;
        }
    }
}
