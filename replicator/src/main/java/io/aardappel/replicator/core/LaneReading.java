package io.aardappel.replicator.core;

/** The read session of one partition and what was asked of it. Not thread-safe. */
final class LaneReading {
    private long session = Lane.UNREAD;
    private long acknowledged;
    private long requested;
    private long end;
    private boolean closedByUs;
    /** The source was told to read it. */
    boolean wanted;

    boolean parked;
    /** It was read to its end once: {@link #end} is final. */
    boolean ended;
    /** Its children are live; only its rest is read, applied and committed. */
    boolean left;

    boolean open() {
        return session != Lane.UNREAD;
    }

    boolean is(long number) {
        return session == number;
    }

    void begin(long number, long committedOffset, long endOffset) {
        session = number;
        closedByUs = false;
        requested = committedOffset;
        acknowledged = Math.max(acknowledged, committedOffset);
        end = Math.max(end, endOffset);
    }

    /** @param byUs whether we wanted that, to fetch nothing for a while or to read again */
    void close(boolean byUs) {
        session = Lane.UNREAD;
        closedByUs = byUs;
    }

    /** Whether it has no session because we wanted it closed. */
    boolean closedByUs() {
        return closedByUs;
    }

    long number() {
        return session;
    }

    /** Highest offset the server is known to have committed. */
    long acknowledged() {
        return acknowledged;
    }

    void acknowledge(long committedOffset) {
        acknowledged = Math.max(acknowledged, committedOffset);
    }

    /** Where the next range to commit in this session begins. */
    long requested() {
        return requested;
    }

    void request(long upTo) {
        requested = upTo;
    }

    /** Next offset to be written, as last told. */
    long end() {
        return end;
    }

    void endsAt(long offset) {
        end = offset;
    }

    /** Read to its end and acknowledged to it. */
    boolean finished() {
        return ended && acknowledged >= end;
    }
}
