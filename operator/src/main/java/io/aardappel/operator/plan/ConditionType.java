package io.aardappel.operator.plan;

/** The conditions of a Replication, in the order in which they stand in its status. */
public enum ConditionType {
    /** The summary. */
    READY("Ready"),
    /** On the way to what the resource asks for. */
    RECONCILING("Reconciling"),
    /** Nothing will change without a person. */
    STALLED("Stalled"),
    /** What the resource asks for is in force. */
    CONFIGURED("Configured"),
    /** The active pod reads the source. */
    SOURCE_REACHABLE("SourceReachable"),
    /** The state table can be read. */
    DESTINATION_REACHABLE("DestinationReachable"),
    /** A pod of the resource holds the lock. */
    LOCK_HELD("LockHeld"),
    /** The checkpoint moves. */
    PROGRESSING("Progressing"),
    /** What the source sends fits the destination's tables. */
    SCHEMA_COMPATIBLE("SchemaCompatible"),
    /** Each checkpoint makes the tables a snapshot of the source. */
    ALIGNED("Aligned"),
    /** Every stream of the resource is one that the checkpoint stands for. */
    STREAMS_ACCEPTED("StreamsAccepted"),
    /** The resource asks for a pause, and has it. */
    SUSPENDED("Suspended"),
    /** Every annotation under our prefix is one that is heeded. */
    COMMANDS_UNDERSTOOD("CommandsUnderstood");

    private final String word;

    ConditionType(String word) {
        this.word = word;
    }

    /** As it stands in the status. */
    public String word() {
        return word;
    }
}
