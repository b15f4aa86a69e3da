package io.aardappel.operator.plan;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the destination's state table says of an instance. */
public sealed interface StateSeen {
    /** It was not asked yet. */
    record NotAsked() implements StateSeen {}

    /**
     * It cannot be asked.
     *
     * @param why for a person
     * @param noDatabase whether the server says that it has no such database, which no time changes
     */
    record Unreachable(String why, boolean noDatabase) implements StateSeen {
        public Unreachable(String why) {
            this(why, false);
        }
    }

    /** There is no row, or no table: nothing has replicated for the instance. */
    record Absent() implements StateSeen {}

    /**
     * The row.
     *
     * @param step of the checkpoint, unsigned, milliseconds of the source's time
     * @param txId of the checkpoint, unsigned
     * @param fatal whether its state is FATAL_ERROR
     * @param lastMessage why, empty when nothing was ever wrong
     * @param owner who holds the lock, or held it last; empty when nobody
     * @param held whether the lock's deadline lies ahead, by the destination's clock
     * @param movedAt when the checkpoint was last seen to move; empty when it was not yet
     * @param streams our rows about streams; none when only the Go program has run
     */
    record Row(
            long step,
            long txId,
            boolean fatal,
            Stage stage,
            String lastMessage,
            String owner,
            boolean held,
            Optional<Instant> movedAt,
            List<StreamSeen> streams)
            implements StateSeen {
        public Row {
            streams = List.copyOf(streams);
        }

        /** The same, but for when its checkpoint was seen to move. */
        public Row movedAt(Optional<Instant> seen) {
            return new Row(step, txId, fatal, stage, lastMessage, owner, held, seen, streams);
        }
    }

    /**
     * A stream's row.
     *
     * @param table absolute path of its destination table; empty when the row does not say
     * @param message why it is in this state; empty when there is nothing to say
     */
    record StreamSeen(StreamKey key, Membership membership, String table, String message) {}
}
