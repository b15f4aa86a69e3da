package io.aardappel.operator.plan;

/** Why a condition is as it is: every reason there is. Each has a page among the runbooks. */
public enum Reason {
    /** The active pod holds the lock, is ready, and its checkpoint moves. */
    REPLICATING("Replicating"),
    /** What the resource asks for is in force. */
    APPLIED("Applied"),
    /** Pods are being made or changed. */
    ROLLING_OUT("RollingOut"),
    /** All pods stop before any starts with what changed: both versions must not run at a time. */
    STOPPING_FOR_CHANGE("StoppingForChange"),
    /** The processes of pods end again and again. */
    CRASH_LOOP("CrashLoop"),
    /** The image of the pods cannot be had. */
    IMAGE_NOT_PULLED("ImageNotPulled"),
    /** Pods are there, and none has taken the lock yet. */
    STARTING("Starting"),
    /** The lock is still that of a pod that is gone; a standby takes it when it runs out. */
    TAKEOVER_PENDING("TakeoverPending"),
    /** Nothing that runs holds the lock. */
    NO_HOLDER("NoHolder"),
    /** Some other program holds the lock. */
    FOREIGN_HOLDER("ForeignHolder"),
    /** The pod that holds the lock is not ready. */
    HOLDER_NOT_READY("HolderNotReady"),
    /** Rows are applied as they come; the tables are no snapshot yet. */
    INITIAL_SCAN("InitialScan"),
    /** The checkpoint stands still. */
    NOT_PROGRESSING("NotProgressing"),
    /** Whether the checkpoint moves is not known yet. */
    NOT_MEASURED("NotMeasured"),
    /** The state row says FATAL_ERROR; a person has to decide. */
    FATAL("Fatal"),
    /** The resource asks for a pause. */
    SUSPENDED("Suspended"),
    /** It does not. */
    NOT_SUSPENDED("NotSuspended"),
    /** The resource asks for no pods. */
    SCALED_TO_ZERO("ScaledToZero"),
    /** The resource is being deleted. */
    DELETING("Deleting"),
    /** An older resource has the same instance, or reads by the same consumer. */
    CONFLICT("Conflict"),
    /** The configuration is larger than a ConfigMap may be. */
    CONFIG_TOO_LARGE("ConfigTooLarge"),
    /** A Secret, or a key of one, is not there. */
    SECRET_NOT_FOUND("SecretNotFound"),
    /** The API server refuses objects or pods: a quota, an admission rule, a right that is missing. */
    REFUSED_BY_API_SERVER("RefusedByApiServer"),
    /** A pass over the resource fails again and again, and is tried again. */
    RECONCILIATION_FAILED("ReconciliationFailed"),
    /** What was to be changed in the destination's rows could not be, and is tried again. */
    DESTINATION_CHANGE_FAILED("DestinationChangeFailed"),
    /** Every annotation of ours is known. */
    UNDERSTOOD("Understood"),
    /** An annotation of ours, or its value, is not. */
    UNKNOWN_ANNOTATION("UnknownAnnotation"),
    /** No stream is left that could run. */
    NO_STREAMS("NoStreams"),
    /** The state table was read. */
    READ("Read"),
    /** It was not asked yet. */
    NOT_READ("NotRead"),
    /** It cannot be read. */
    UNREACHABLE("Unreachable"),
    /** The server that is named has no such database. */
    DATABASE_NOT_FOUND("DatabaseNotFound"),
    /** The active pod reads the source. */
    SOURCE_READ("SourceRead"),
    /** The active pod says that it cannot read the source. */
    SOURCE_UNREACHABLE("SourceUnreachable"),
    /** The page of the pod that would tell cannot be read. */
    PAGE_UNREACHABLE("PageUnreachable"),
    /** Nothing that was read does not fit the destination's tables. */
    SCHEMA_FITS("SchemaFits"),
    /** Records carry a column that a destination table lacks, and wait for it. */
    COLUMN_MISSING("ColumnMissing"),
    /** A record that does not fit its destination table has ended the replication. */
    RECORD_UNFIT("RecordUnfit"),
    /** Each checkpoint makes the tables a snapshot of the source. */
    ALIGNED("Aligned"),
    /** The tables are not known to be a snapshot before a later checkpoint. */
    NOT_ALIGNED("NotAligned"),
    /** A pod of the resource holds the lock. */
    HELD("Held"),
    /** Every stream of the resource is a member. */
    ACCEPTED("Accepted"),
    /** A stream was added to the resource that the checkpoint does not stand for. */
    MIGRATION_REQUIRED("MigrationRequired"),
    /** A field of a stream was changed by which it is another one; it runs on as it was. */
    STREAM_CHANGED("StreamChanged"),
    /** A stream was removed from the resource; it runs on until that is confirmed. */
    REMOVAL_NOT_CONFIRMED("RemovalNotConfirmed"),
    /** A stream was removed from the resource and is being taken out. */
    REMOVING("Removing"),
    /** Bringing a stream in has failed. */
    STREAM_FAILED("StreamFailed");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    /** Whether nothing will change without somebody. */
    boolean needsAPerson() {
        return switch (this) {
            case FATAL,
                    CRASH_LOOP,
                    IMAGE_NOT_PULLED,
                    DATABASE_NOT_FOUND,
                    FOREIGN_HOLDER,
                    CONFLICT,
                    CONFIG_TOO_LARGE,
                    SECRET_NOT_FOUND,
                    REFUSED_BY_API_SERVER,
                    NO_STREAMS,
                    MIGRATION_REQUIRED,
                    STREAM_CHANGED,
                    REMOVAL_NOT_CONFIRMED,
                    STREAM_FAILED -> true;
            default -> false;
        };
    }

    /** As it stands in a condition. */
    public String word() {
        return word;
    }
}
