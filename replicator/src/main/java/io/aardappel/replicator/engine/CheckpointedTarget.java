package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Problem;
import java.util.function.Consumer;

/**
 * Rows, checkpoint and lock out, in one transaction. Commands come from the engine's thread, one at a time: the next is
 * given only after the answer to the last. They return at once and never throw; the answer is one {@link TargetEvent},
 * given to the inbox from any thread within a named time limit of the implementation. {@code ReadAnew} may come at any time.
 *
 * <p>Every transaction proves ownership of the lock and carries the next commit number (see the rules on fenced
 * transactions in the design): a request of an older term or of an abandoned attempt can take no effect, however late it
 * arrives.
 */
public interface CheckpointedTarget extends AutoCloseable {
    /**
     * Begins; called once, before any other command.
     *
     * @param inbox thread-safe, never blocks, never throws
     */
    void start(Consumer<Event> inbox);

    /**
     * One attempt to take the lock under an owner string that is new for each term; reads before it writes. The engine sets
     * the pace. Answered by {@code LockHeld}, {@code LockBusy}, {@code LockUnknown}, {@code LockFatal}. When an attempt ended
     * in {@code LockUnknown}, the next goes on with the same owner string. The row is made where there was none; one that was
     * there and is gone is not made again: that is {@code LockFatal}.
     */
    void acquire();

    /** Extends our deadline. Answered by {@code LockHeld}, {@code LockBusy}, {@code LockUnknown}. */
    void renew();

    /** Gives the lock up at once so that a waiter may take it; harmless when it is not ours. Answered by {@code LockReleased}. */
    void release();

    /** Reads the state row and our rows. Answered by {@code Loaded}, {@code LoadRetryable}, {@code LoadFatal}. */
    void load();

    /**
     * Applies a batch. Answered by {@code Committed}, {@code Fenced}, {@code Retryable}, {@code Refused} or {@code Outdated}; an
     * undetermined outcome is resolved inside, by reading commit number and attempt under the lock. A committed batch extends our deadline
     * as {@link #renew} does.
     */
    void commit(Batch batch);

    /** Writes FATAL_ERROR and the text, with the same proof. Answered by {@code FatalWritten} or {@code FatalNotWritten}. */
    void writeFatal(Problem problem);

    /** Ends for good and frees everything; answers may no longer come. */
    @Override
    void close();
}
