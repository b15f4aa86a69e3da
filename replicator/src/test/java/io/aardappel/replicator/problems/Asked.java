package io.aardappel.replicator.problems;

import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Command.Companion;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.Wording;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.Decisions.Question;
import io.aardappel.replicator.problems.StreamPolicy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;

/** Words for the tests of problems: one stream into a table of a text, a number and a nullable value. */
final class Asked {
    static final TableShape SHAPE = new TableShape(
            "/local/goods",
            List.of(
                    column("name", PrimitiveTypeId.UTF8, false),
                    column("number", PrimitiveTypeId.UINT64, false),
                    column("value", PrimitiveTypeId.UTF8, true)),
            List.of("name", "number"));

    static final DestinationShapes SHAPES = new DestinationShapes() {
        @Override
        public TableShape current(String table) {
            return SHAPE;
        }

        @Override
        public boolean refresh(String table) {
            return true;
        }
    };

    private Asked() {}

    private static TableShape.Column column(String name, PrimitiveTypeId id, boolean nullable) {
        Type type = Type.newBuilder().setTypeId(id).build();
        Type described = nullable
                ? Type.newBuilder()
                        .setOptionalType(OptionalType.newBuilder().setItem(type))
                        .build()
                : type;
        return TableShape.Column.described(name, described, false);
    }

    static StreamPolicy policy(Strategy strategy) {
        return new StreamPolicy(new StreamSpec("/local/goods/feed", "repl", "/local/goods"), "goods/feed", strategy);
    }

    /** About a change that came after barrier (100, 0). */
    static Question late(long offset, String name, long number, Position at) {
        Change change = new Change(
                at,
                Operation.UPDATE,
                new Key(name, number),
                new Columns(new int[] {2}, new Object[] {"secret value"}),
                100);
        return new Question(
                new PartitionId(0, 3),
                offset,
                at,
                "[" + name + ", " + number + "]",
                Optional.of(change),
                Optional.empty(),
                Optional.of(new Position(100, 0)),
                new Problem(Problem.Reason.LATE_RECORD, "it came late", "decide"),
                List.of());
    }

    /** About a record that says what it would write, unless neither key nor position could be read. */
    static Question unfit(long offset, String key, Position at) {
        return new Question(
                new PartitionId(0, 3),
                offset,
                at,
                key,
                Optional.empty(),
                key.isEmpty() ? Optional.empty() : Optional.of(new Wording(Operation.UPDATE, "{\"c\":1}")),
                Optional.empty(),
                new Problem(Problem.Reason.UNFIT_RECORD, "column c is not in the table", "add it"),
                List.of());
    }

    /** About a change for each name, numbered from 0, all at one position. */
    static Question oversized(Position at, String... names) {
        List<Companion> changes = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            Change change = new Change(at, Operation.ERASE, new Key(names[i], (long) i), Columns.NONE, 100);
            changes.add(new Companion(new PartitionId(0, 3), 20 + i, change));
        }
        Companion first = changes.remove(0);
        return new Question(
                first.partition(),
                first.offset(),
                at,
                first.change().key().toString(),
                Optional.of(first.change()),
                Optional.empty(),
                Optional.empty(),
                new Problem(Problem.Reason.OVERSIZED_POSITION, "it is too large", "decide"),
                changes);
    }
}
