package io.aardappel.emulator.model.fault;

import java.util.Locale;

/** Every failure that the emulator can produce on purpose. The comment says where it strikes and what its numbers mean. */
public enum Fault {
    /** A request is answered ABORTED without being carried out. */
    ABORTED,
    /** A request is answered UNAVAILABLE without being carried out. */
    UNAVAILABLE,
    /** A request is answered OVERLOADED without being carried out. */
    OVERLOADED,
    /** A request of a session is answered BAD_SESSION and the session is gone. */
    BAD_SESSION,
    /**
     * The answer to a request of a session carries the hint {@code session-close}: the node wants to be rid of the session, which
     * goes on to work until its client gives it up.
     */
    SESSION_CLOSE,
    /** A commit is applied and answered UNDETERMINED. */
    COMMIT_UNDETERMINED,
    /** A commit is applied and never answered: the client's deadline ends the call. */
    COMMIT_UNANSWERED,
    /** A commit is answered UNDETERMINED at once and tried {@code delay} later, its locks checked then. */
    COMMIT_LATE,
    /** A commit begins {@code delay} after its request. */
    COMMIT_SLOW,
    /** Open streams of the place (topic reads and writes, attached sessions) end with gRPC UNAVAILABLE. */
    STREAM_CUT,
    /** All sessions of the process are lost and all streams end. */
    NODE_RESTART,
    /** A partition session is stopped and the partition is given out again. */
    PARTITION_MOVED,
    /** Messages of a partition are handed out {@code delay} after they could be. */
    PARTITION_SLOW,
    /** A partition hands out nothing for {@code delay}. */
    PARTITION_SILENT,
    /** A read session hands out at most {@code amount} bytes a second for {@code delay}. */
    READS_THROTTLED,
    /** A record's timestamp lies below a barrier that stands before it in its partition. */
    LATE_RECORD,
    /** A barrier lies {@code amount} ms below the one before it. */
    BARRIER_BACK,
    /** A barrier is left out in one partition. */
    BARRIER_LOST,
    /** The virtual clock of a database jumps ahead by {@code amount} ms. */
    CLOCK_JUMP,
    /** The oldest {@code amount} messages of each partition of a topic are gone. */
    RETENTION_CUT,
    /** A topic is dropped and created anew under its name, empty and without committed offsets. */
    TOPIC_RECREATED;

    /** The name in JSON and on the command line: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
