package io.aardappel.replicator.app;

import io.aardappel.replicator.config.Setting;
import io.aardappel.replicator.config.Tuning;
import java.io.PrintWriter;

/**
 * What a person at a terminal reads. A call that ran out of time is told of in many places, in the words of the library that
 * made it, which speak of neither side's load; it is put into plain words once, at the end. One thread only.
 */
final class Report extends PrintWriter {
    /** What all those words have in common: the beginning of the names of two statuses. */
    private static final String RAN_OUT = "CLIENT_DEADLINE_";

    private boolean ranOut;

    /** @param out stays open */
    Report(PrintWriter out) {
        super(out, true);
    }

    @Override
    public void println(String line) {
        ranOut |= line.contains(RAN_OUT);
        super.println(line);
    }

    /** Says what it means that a call ran out of time, where one was told of. */
    void explain(Tuning tuning) {
        if (!ranOut) {
            return;
        }
        super.println("No answer came in time: a call may take " + print(tuning, Tuning.CALL_TIMEOUT)
                + " (replicator.call_timeout) and was made " + print(tuning, Tuning.CALL_TRIES)
                + " times (replicator.call_tries). The database or the network may be slow; or this machine is overloaded, and"
                + " the time had passed before the request left, which `ClientCall started after CallOptions deadline`"
                + " means. Raise replicator.call_timeout, or try again when there is less to do"
                + " (docs/runbooks/no-answer-in-time.md)");
    }

    private static <T extends Comparable<T>> String print(Tuning tuning, Setting<T> setting) {
        return setting.print().apply(tuning.get(setting));
    }
}
