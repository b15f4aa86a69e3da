package io.aardappel.replicator.app;

import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.Exit;
import java.util.Optional;

/** What the process ends with. Unlike the Go program's, 0 always means that somebody asked for the stop. */
public enum ExitCode {
    REQUESTED(
            0,
            "a stop was requested (SIGTERM, SIGINT, SIGHUP), --check found nothing wrong, or a command did what it was for",
            "nothing"),
    INTERNAL(
            1,
            "a bug, or a stop that took too long; or bin/replicator is not built",
            "read the last line that it wrote"),
    CONFIGURATION(
            2,
            "the command line or the configuration file is wrong, what a command names is not there, the file does not fit the"
                    + " streams that the checkpoint stands for or that another instance has, or mon_server.listen cannot be"
                    + " listened on; nothing is replicated by it and no command changed anything",
            "correct what is named, or free the address; restarting alone never helps"),
    // 3 is what the Java runtime ends with when memory is exhausted; see bin/replicator.
    OUT_OF_MEMORY(3, "the Java heap is exhausted", "lower replicator.memory or give the process more"),
    PREFLIGHT(
            4,
            "a database cannot be reached, a certificate file or a token not be had, or what is in a database does not fit the"
                    + " configuration; the lock was not asked for",
            "do what each reported problem says; restarting may help when a database was away"),
    FATAL_STATE(
            5,
            "the state row says FATAL_ERROR, or would after a start that --check looks ahead to, or cannot be used, or is gone;"
                    + " every other process will end like this",
            "do what the page of the reason says (runbooks/fatal). The log line `Finished with error` and last_msg in the state"
                    + " row begin with the reason, and the last line of the log names the page",
            "the state row says FATAL_ERROR, or cannot be used, or is gone; every other process will end like this",
            "do what the page of its reason in docs/runbooks/fatal says (last_msg in the state row begins with the reason)"),
    LOCK(
            6,
            "another process held the lock: for replicator.lock_wait where multiple_instances_mode is false (to --check: at"
                    + " the moment), or for a command's --wait",
            "stop the other process, or set multiple_instances_mode",
            "another process held the lock for replicator.lock_wait, and multiple_instances_mode is false",
            "stop the other process, or set multiple_instances_mode"),
    FAILED(
            7,
            "the replication cannot go on and the state row could not be made to say so, or a command could not do all"
                    + " that it was for",
            "read why in the log line `Finished with error`, or in what the command printed; trying again may help when a"
                    + " database was away",
            "the replication cannot go on and the state row could not be made to say so",
            "do what the line `Finished with error` says; trying again may help when a database was away"),
    REFUSED(
            8,
            "of the dead letters that were to be replayed at least one was not; the others were",
            "see why, printed for each");

    private final int code;
    private final String meaning;
    private final String remedy;
    private final String closing;
    private final String closingRemedy;

    ExitCode(int code, String meaning, String remedy) {
        this(code, meaning, remedy, meaning, remedy);
    }

    /**
     * One that commands end with as well, for other reasons.
     *
     * @param closing what it means where a replicator ends with it
     * @param closingRemedy what to do then
     */
    ExitCode(int code, String meaning, String remedy, String closing, String closingRemedy) {
        this.code = code;
        this.meaning = meaning;
        this.remedy = remedy;
        this.closing = closing;
        this.closingRemedy = closingRemedy;
    }

    public int code() {
        return code;
    }

    /** When the process ends with it, in words for an operator. */
    public String meaning() {
        return meaning;
    }

    /** What the operator does about it. */
    public String remedy() {
        return remedy;
    }

    /**
     * The last line of a replicator's log, when nobody asked it to stop. What to do is for the page of the reason alone:
     * it is not the same for all that end with one code.
     *
     * @param why the engine ended, absent where it never ran or did not say
     */
    String lastLine(Optional<Problem.Reason> why) {
        String remedy =
                why.map(reason -> "what to do stands in " + page(reason)).orElse(closingRemedy);
        return "ending with code " + code + ": " + closing + "; " + remedy;
    }

    /** Where people find what to do about a reason. */
    static String page(Problem.Reason reason) {
        return "docs/runbooks/fatal/" + reason + ".md";
    }

    static ExitCode of(Exit exit) {
        if (exit.problem().isEmpty()) {
            return REQUESTED;
        }
        boolean written = exit.fatalWritten();
        return switch (exit.problem().get().reason()) {
            case LOCK_NOT_ACQUIRED -> LOCK;
            case STREAM_MISSING, STREAM_NOT_MEMBER, SHARED_TABLE, SHARED_CONSUMER -> CONFIGURATION;
            case STATE_INVALID, STATE_LOST -> FATAL_STATE;
            case LATE_RECORD,
                    UNFIT_RECORD,
                    OVERSIZED_POSITION,
                    OFFSETS_MOVED,
                    HISTORY_LOST,
                    TOPIC_RECREATED,
                    SOURCE_FAILED,
                    DESTINATION_FAILED -> written ? FATAL_STATE : FAILED;
        };
    }
}
