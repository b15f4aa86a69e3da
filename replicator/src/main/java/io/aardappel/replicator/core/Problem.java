package io.aardappel.replicator.core;

/**
 * Why the process cannot go on, for a person.
 *
 * @param reason which kind; each has its page in the documentation
 * @param what names the object (stream, partition, key, position) and what is wrong with it; never a row's values
 * @param remedy what to do about it
 */
public record Problem(Reason reason, String what, String remedy) {
    /** The closed set of kinds. */
    public enum Reason {
        LATE_RECORD,
        UNFIT_RECORD,
        OVERSIZED_POSITION,
        OFFSETS_MOVED,
        HISTORY_LOST,
        TOPIC_RECREATED,
        STREAM_MISSING,
        STREAM_NOT_MEMBER,
        SOURCE_FAILED,
        DESTINATION_FAILED,
        SHARED_TABLE,
        SHARED_CONSUMER,
        STATE_INVALID,
        STATE_LOST,
        LOCK_NOT_ACQUIRED
    }

    /** One line: kind, what, remedy. */
    public String text() {
        return reason + ": " + sentences(what, remedy);
    }

    /** What is wrong and what to do, as two sentences; servers end some of their words with a full stop, and others not. */
    public static String sentences(String what, String remedy) {
        return what.endsWith(".") ? what + " " + remedy : what + ". " + remedy;
    }
}
