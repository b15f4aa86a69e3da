package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.topic.Slice;

/**
 * Bytes that a client lets the server send, and whether to send now what they allow. Without care they are ground to dust: a
 * response that was cut short for want of credit comes back as a grant of its size, which allows another as short, and a
 * stream that was once out of credit ends up with a response for every message. So what credit would cut short waits a
 * little for more of it, as TCP's senders do (RFC 1122, 4.2.3.4). Not thread-safe.
 */
final class ReadCredit {
    /** How long it waits for more; then what there is gets used: the client may wait for that before it grants anew. */
    static final long PATIENCE_NANOS = 10_000_000;

    private long left;
    private long most;
    private boolean impatient;

    /** The client grants so many bytes more. */
    void add(long bytes) {
        left += bytes;
        most = Math.max(most, left);
    }

    /** A response took so many bytes, at times more than are left. */
    void take(long bytes) {
        left -= bytes;
        impatient = false;
    }

    /** Bytes that may be sent, 0 or less for none. */
    long left() {
        return left;
    }

    /** Nothing came within {@link #PATIENCE_NANOS}: the next response takes what there is. */
    void giveUpWaiting() {
        impatient = true;
    }

    /** Whether a response of these messages should be sent now: not cut short by credit, or not by much. */
    boolean suffices(Slice slice) {
        return impatient || left >= Math.min(most / 2, ReadBatcher.RESPONSE_BYTES_MAX) || ReadBatcher.fits(slice, left);
    }
}
