package io.aardappel.replicator.ydb.target;

import java.util.Optional;
import tech.ydb.proto.ValueProtos.TypedValue;

/**
 * One statement over a list of rows, before it knows its parameter's name.
 *
 * @param head text up to the parameter's name
 * @param tail text behind it
 * @param rows type and rows
 * @param bytes of the parameter as it travels
 * @param check what its result must show; absent when it gives none
 */
public record Statement(String head, String tail, TypedValue rows, int bytes, Optional<RowCheck> check) {
    String text(String parameter) {
        return head + parameter + tail;
    }

    static Statement plain(String head, String tail, TypedValue rows, int bytes) {
        return new Statement(head, tail, rows, bytes, Optional.empty());
    }
}
