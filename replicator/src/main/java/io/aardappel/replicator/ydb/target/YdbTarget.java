package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.CheckpointedTarget;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.TargetEvent;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * The destination over the table service. All calls are made one after the other on a thread of its own, so renewals and
 * data transactions never overlap. The transport belongs to the caller, who closes it after this.
 */
public final class YdbTarget implements CheckpointedTarget {
    private static final Logger log = LoggerFactory.getLogger(YdbTarget.class);

    /**
     * Which row of which table.
     *
     * @param instanceId names the row
     * @param hostname becomes part of the lock's owner, so that people see who holds it
     */
    public record Identity(TableName stateTable, String instanceId, String hostname) {}

    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "destination"));
    private final TargetSettings settings;
    private final DestinationWork work;
    private volatile @Nullable Consumer<Event> inbox;

    /**
     * A target that has done nothing yet.
     *
     * @param tables shapes of the destination tables, the same that records are decoded for
     * @param blocked keys of rows that are left out; read here, as the lock is
     * @param discipline {@link CommitDiscipline#SOUND} in programs
     */
    public YdbTarget(
            GrpcTransport transport,
            Identity identity,
            TargetSettings settings,
            DestinationTables tables,
            BlockedKeys blocked,
            CommitDiscipline discipline) {
        this.settings = settings;
        this.work = new DestinationWork(new Calls(transport), identity, settings, tables, blocked, discipline);
    }

    @Override
    public void start(Consumer<Event> inbox) {
        this.inbox = inbox;
    }

    @Override
    public void acquire() {
        submit(work::acquire, TargetEvent.LockUnknown::new);
    }

    @Override
    public void renew() {
        submit(work::renew, TargetEvent.LockUnknown::new);
        behindTheAnswer(() -> work.readAnew().ifPresent(this::tell));
    }

    private void tell(TargetEvent event) {
        Consumer<Event> to = inbox;
        if (to != null) {
            to.accept(event);
        }
    }

    /** For what may take long and must not keep the lock's holder waiting. */
    private void behindTheAnswer(Runnable task) {
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    log.error("a defect in the destination's code, please report it", e);
                }
            });
        } catch (RejectedExecutionException closed) {
            log.debug("the destination is closed; nothing is read any more", closed);
        }
    }

    @Override
    public void release() {
        submit(work::release, why -> new TargetEvent.LockReleased());
    }

    @Override
    public void load() {
        submit(work::load, TargetEvent.LoadRetryable::new);
    }

    @Override
    public void commit(Batch batch) {
        submit(() -> work.commit(batch), why -> new TargetEvent.Fenced(batch.number(), why));
    }

    @Override
    public void writeFatal(Problem problem) {
        submit(() -> work.writeFatal(problem), TargetEvent.FatalNotWritten::new);
    }

    /** @param failed the answer when there is a defect in this program: what was reached is then unknown */
    private void submit(Supplier<TargetEvent> task, Function<String, TargetEvent> failed) {
        Consumer<Event> to = inbox;
        if (to == null) {
            throw new IllegalStateException("start comes first");
        }
        try {
            executor.execute(() -> to.accept(answer(task, failed)));
        } catch (RejectedExecutionException e) {
            to.accept(failed.apply("the destination is closed"));
        }
    }

    private static TargetEvent answer(Supplier<TargetEvent> task, Function<String, TargetEvent> failed) {
        try {
            return task.get();
        } catch (RuntimeException e) {
            log.error("a defect in the destination's code, please report it", e);
            return failed.apply("a defect: " + e);
        }
    }

    /** Waits for the work at hand, at most as long as a call may take; then it is interrupted. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(settings.callTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            } else {
                work.close();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
