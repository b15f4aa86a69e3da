package io.aardappel.operator.app;

/** What the process ends with. 0 always means that somebody asked for the stop. */
public enum ExitCode {
    REQUESTED(0, "a stop was requested (SIGTERM, SIGINT, SIGHUP)", "nothing"),
    INTERNAL(
            1, "a bug, or a stop that took too long; or bin/operator is not built", "read the last line that it wrote"),
    CONFIGURATION(
            2,
            "a setting is wrong, or the address for pages cannot be listened on; nothing was touched",
            "correct what is named; restarting alone never helps"),
    // 3 is what the Java runtime ends with when memory is exhausted; see bin/operator.
    OUT_OF_MEMORY(3, "the Java heap is exhausted", "give the pod more memory"),
    CLUSTER(
            4,
            "no cluster is named, or its API server cannot be asked, lacks the custom resource, or denies rights that"
                    + " the operator needs; nothing was touched",
            "do what the last lines of the log say; a restart finds out whether it helped"),
    LEASE_LOST(
            5,
            "the lease could not be renewed in time: another operator may act now",
            "nothing if it is rare, for a restarted operator stands by; else see why the API server answers slowly");

    private final int code;
    private final String meaning;
    private final String remedy;

    ExitCode(int code, String meaning, String remedy) {
        this.code = code;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    public int code() {
        return code;
    }

    /** When the process ends with it, for a person. */
    public String meaning() {
        return meaning;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
