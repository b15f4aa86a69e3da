package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.TargetEvent;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import tech.ydb.core.grpc.GrpcTransport;

/** A target whose commands wait for their answer, as a test wants them. */
final class DrivenTarget implements AutoCloseable {
    private final LinkedBlockingQueue<Event> inbox = new LinkedBlockingQueue<>();
    private final YdbTarget target;

    DrivenTarget(
            GrpcTransport transport,
            TableName stateTable,
            String hostname,
            TargetSettings settings,
            DestinationTables tables,
            CommitDiscipline discipline) {
        this(transport, new YdbTarget.Identity(stateTable, "inst", hostname), settings, tables, discipline);
    }

    /** Of any instance. */
    DrivenTarget(
            GrpcTransport transport,
            YdbTarget.Identity identity,
            TargetSettings settings,
            DestinationTables tables,
            CommitDiscipline discipline) {
        this.target = new YdbTarget(transport, identity, settings, tables, BlockedKeys.none(), discipline);
        target.start(inbox::add);
    }

    TargetEvent acquire() {
        target.acquire();
        return answer();
    }

    TargetEvent renew() {
        target.renew();
        return answer();
    }

    TargetEvent release() {
        target.release();
        return answer();
    }

    TargetEvent load() {
        target.load();
        return answer();
    }

    TargetEvent commit(Batch batch) {
        target.commit(batch);
        return answer();
    }

    TargetEvent writeFatal(Problem problem) {
        target.writeFatal(problem);
        return answer();
    }

    /** Takes the lock and loads, both of which must work. Gives the owner string. */
    String begin() {
        String owner = expect(acquire(), TargetEvent.LockHeld.class, TargetEvent.LockHeld::owner);
        assertThat(load()).isInstanceOf(TargetEvent.Loaded.class);
        return owner;
    }

    SavedState saved() {
        return expect(load(), TargetEvent.Loaded.class, TargetEvent.Loaded::state);
    }

    static <E, T> T expect(TargetEvent event, Class<E> kind, Function<E, T> part) {
        assertThat(event).isInstanceOf(kind);
        return part.apply(kind.cast(event));
    }

    private TargetEvent answer() {
        try {
            Event event = inbox.poll(60, TimeUnit.SECONDS);
            assertThat(event).as("an answer within a minute").isInstanceOf(TargetEvent.class);
            assertThat(inbox).as("one answer for each command").isEmpty();
            return (TargetEvent) event;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        target.close();
    }
}
