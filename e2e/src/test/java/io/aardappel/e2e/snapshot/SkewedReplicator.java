package io.aardappel.e2e.snapshot;

import io.aardappel.replicator.app.Main;
import io.aardappel.replicator.app.Seams;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.engine.Ticker;
import io.aardappel.replicator.ydb.target.CommitDiscipline;
import java.time.Duration;
import java.util.List;

/** The replicator on a machine whose wall clock is wrong. */
final class SkewedReplicator {
    private static final String OFFSET_MILLIS = "clock.offset.millis";

    /**
     * A clock that shows a wrong time and runs as it should.
     *
     * @param offsetMillis how far it is ahead
     */
    private record WrongClock(Ticker right, long offsetMillis) implements Ticker {
        @Override
        public long nanos() {
            return right.nanos();
        }

        @Override
        public long wallMillis() {
            return right.wallMillis() + offsetMillis;
        }
    }

    private SkewedReplicator() {}

    /** @param ahead of the right time; negative for behind */
    static SnapshotRun.Program program(Duration ahead) {
        return new SnapshotRun.Program(
                SkewedReplicator.class.getName(), List.of("-D" + OFFSET_MILLIS + "=" + ahead.toMillis()));
    }

    public static void main(String[] args) {
        Ticker wrong = new WrongClock(Ticker.system(), Long.getLong(OFFSET_MILLIS));
        System.exit(Main.run(args, new Seams(Rules.STANDARD, CommitDiscipline.SOUND, wrong)));
    }
}
