package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.table.SchemeEntry;
import tech.ydb.proto.common.CommonProtos.VirtualTimestamp;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;

/** Objects of the path tree as the protocol shows them. */
public final class SchemeEntries {
    private SchemeEntries() {}

    public static Entry.Builder encode(SchemeEntry entry) {
        return Entry.newBuilder()
                .setName(entry.name())
                .setOwner(entry.owner())
                .setType(type(entry.kind()))
                .setCreatedAt(VirtualTimestamp.newBuilder()
                        .setPlanStep(entry.created().step())
                        .setTxId(entry.created().txId()));
    }

    private static Entry.Type type(SchemeEntry.Kind kind) {
        return switch (kind) {
            case DATABASE -> Entry.Type.DATABASE;
            case DIRECTORY -> Entry.Type.DIRECTORY;
            case TABLE -> Entry.Type.TABLE;
            case TOPIC -> Entry.Type.TOPIC;
        };
    }
}
