package io.aardappel.e2e.snapshot;

import tech.ydb.proto.ValueProtos;
import tech.ydb.table.values.Type;
import tech.ydb.table.values.Value;

/** A value by its wire form, for types and shapes that the SDK's own values make costly or lack. */
record ProtoValue(Type type, ValueProtos.Value value) implements Value<Type> {
    private static final long serialVersionUID = 1L;

    @Override
    public Type getType() {
        return type;
    }

    @Override
    public ValueProtos.Value toPb() {
        return value;
    }
}
