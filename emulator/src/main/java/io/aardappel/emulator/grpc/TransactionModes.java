package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction.Mode;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.table.YdbTable;

/** Transaction settings of both services to the model's modes. */
final class TransactionModes {
    private TransactionModes() {}

    static Mode of(YdbTable.TransactionSettings settings) {
        return switch (settings.getTxModeCase()) {
            case SERIALIZABLE_READ_WRITE -> Mode.SERIALIZABLE_READ_WRITE;
            case ONLINE_READ_ONLY -> Mode.ONLINE_READ_ONLY;
            case STALE_READ_ONLY -> Mode.STALE_READ_ONLY;
            case SNAPSHOT_READ_ONLY -> Mode.SNAPSHOT_READ_ONLY;
            case SNAPSHOT_READ_WRITE -> Mode.SNAPSHOT_READ_WRITE;
            case TXMODE_NOT_SET -> throw notSet();
        };
    }

    static Mode of(YdbQuery.TransactionSettings settings) {
        return switch (settings.getTxModeCase()) {
            case SERIALIZABLE_READ_WRITE -> Mode.SERIALIZABLE_READ_WRITE;
            case ONLINE_READ_ONLY -> Mode.ONLINE_READ_ONLY;
            case STALE_READ_ONLY -> Mode.STALE_READ_ONLY;
            case SNAPSHOT_READ_ONLY -> Mode.SNAPSHOT_READ_ONLY;
            case SNAPSHOT_READ_WRITE -> Mode.SNAPSHOT_READ_WRITE;
            case TXMODE_NOT_SET -> throw notSet();
        };
    }

    private static YdbException notSet() {
        return new YdbException(Status.BAD_REQUEST, "Transaction mode is not set");
    }

    /** Refuses to leave a transaction open in a mode that has no transactions of several calls. */
    static Mode interactive(Mode mode) {
        if (mode == Mode.ONLINE_READ_ONLY || mode == Mode.STALE_READ_ONLY) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "Open transactions not supported for transaction mode " + mode + ": set commit_tx");
        }
        return mode;
    }
}
