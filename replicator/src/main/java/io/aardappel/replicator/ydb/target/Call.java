package io.aardappel.replicator.ydb.target;

import java.util.List;
import java.util.Map;
import tech.ydb.proto.ValueProtos.TypedValue;

/**
 * One ExecuteDataQuery of a transaction.
 *
 * @param parameters by name, the dollar sign included
 * @param checks what its result sets must show, one for each, in their order
 */
record Call(String text, Map<String, TypedValue> parameters, List<RowCheck> checks) {
    static Call of(String text, Map<String, TypedValue> parameters) {
        return new Call(text, parameters, List.of());
    }
}
