package io.aardappel.replicator.problems;

import io.aardappel.replicator.codec.Cells;
import io.aardappel.replicator.codec.RecordJson;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.Value;

/**
 * Whether a row of the source is still what a change made of it. Where it is, writing the change to the replica cannot take the
 * row further back than the source stands; where it is not, the row was changed since. Values are never named. Stateless.
 */
public final class SourceComparison {
    private SourceComparison() {}

    /**
     * Why the row is another than the change left it.
     *
     * @param change decoded for this shape
     * @param row of the source now, by column; empty when there is none
     * @return absent when it is as the change left it
     */
    public static Optional<String> differs(Change change, TableShape shape, Optional<Map<String, Value>> row) {
        if (change.operation() == Operation.ERASE) {
            return row.isPresent() ? Optional.of("the source has the row again") : Optional.empty();
        }
        if (row.isEmpty()) {
            return Optional.of("the source has no such row any more");
        }
        for (int ordinal = 0; ordinal < shape.columns().size(); ordinal++) {
            Column column = shape.column(ordinal);
            int at = Arrays.binarySearch(change.columns().ordinals(), ordinal);
            boolean counts = at >= 0 || (change.operation() == Operation.REPLACE && !shape.isKey(ordinal));
            Object left = at < 0 ? null : change.columns().values()[at];
            Value now = row.get().getOrDefault(column.name(), Cells.NULL);
            if (counts && !same(column, left, now)) {
                return Optional.of("column " + column.name() + " has another value in the source now");
            }
        }
        return Optional.empty();
    }

    /** Whether the row has values in columns that the change does not carry: without them it would be another row. */
    public static boolean isMoreThan(Change change, TableShape shape, Map<String, Value> row) {
        for (int ordinal = 0; ordinal < shape.columns().size(); ordinal++) {
            boolean carried =
                    shape.isKey(ordinal) || Arrays.binarySearch(change.columns().ordinals(), ordinal) >= 0;
            Value now = row.getOrDefault(shape.column(ordinal).name(), Cells.NULL);
            if (!carried && !now.hasNullFlagValue()) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(Column column, @Nullable Object left, Value now) {
        if (left == null || now.hasNullFlagValue()) {
            return left == null && now.hasNullFlagValue();
        }
        if (!column.type().kind().convertible()) {
            return false;
        }
        Value then = Cells.toValue(column.type(), left);
        return switch (column.type().kind()) {
            case JSON, JSON_DOCUMENT -> RecordJson.same(then.getTextValue(), now.getTextValue());
            default -> then.equals(now);
        };
    }
}
