package io.aardappel.replicator.ydb.target;

import io.aardappel.replicator.codec.ParameterRows;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.codec.YdbType;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.TableWrites;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;

/**
 * The writes of one table as statements, deletes first, then one statement for each set of columns, always in the same
 * order so that the server meets texts it has compiled before. Types are exactly the table's.
 */
public final class RowStatements {
    private static final String FROM = " FROM AS_TABLE(";
    private static final Comparator<Group> STABLE =
            Comparator.comparing(Group::form).thenComparing(Group::ordinals, Arrays::compare);

    /** How a group of rows is written. */
    private enum Form {
        /** Overlays, creating the row when it is missing. */
        UPSERT,
        /** Overlays a row that must be there, because one that is not could not be made of these columns alone. */
        UPDATE,
        /** Every nullable column without a default is named; a column with a default that is not named takes it. */
        REPLACE
    }

    private record Group(Form form, int[] ordinals) {}

    private final TableShape shape;
    private final TargetSettings settings;
    private final List<Statement> statements = new ArrayList<>();

    private RowStatements(TableShape shape, TargetSettings settings) {
        this.shape = shape;
        this.settings = settings;
    }

    /**
     * Why there can be no statement for a row.
     *
     * @param outdated whether it carries a value for a column that the table has not any more: what becomes of its record is to
     *     be found out by reading it anew
     */
    public record Refusal(RowWrite row, Problem problem, boolean outdated) {}

    /** Statements, or why there can be none. */
    public record Outcome(List<Statement> statements, Optional<Refusal> refusal) {}

    /**
     * Makes the statements.
     *
     * @param settings bounds of one statement's text and parameter (one row alone may exceed that) and of what it returns
     * @throws ClassCastException when a cell is not of its column's type: the shape is not the one it was decoded for
     */
    public static Outcome of(TableWrites writes, TableShape shape, TargetSettings settings) {
        RowStatements made = new RowStatements(shape, settings);
        made.erases(writes.erases());
        TreeMap<Group, List<RowWrite>> groups = new TreeMap<>(STABLE);
        RowWrite former = null;
        List<RowWrite> group = List.of();
        for (RowWrite write : writes.writes()) {
            if (former == null || !areAlike(former, write)) {
                Optional<Refusal> refusal = made.refuses(write);
                if (refusal.isPresent()) {
                    return new Outcome(List.of(), refusal);
                }
                group = groups.computeIfAbsent(made.group(write), any -> new ArrayList<>());
            }
            group.add(write);
            former = write;
        }
        groups.forEach(made::writes);
        return new Outcome(made.statements, Optional.empty());
    }

    /** What may be done with a row, and how, is the same for all of one operation with the same columns: most of a table. */
    private static boolean areAlike(RowWrite one, RowWrite other) {
        return one.operation() == other.operation()
                && Arrays.equals(one.columns().ordinals(), other.columns().ordinals());
    }

    private void erases(List<RowWrite> erases) {
        if (!erases.isEmpty()) {
            int[] none = new int[0];
            String head = "DELETE FROM `" + shape.path() + "` ON SELECT " + names(none) + FROM;
            add(head, ");\n", none, erases, false);
        }
    }

    private void writes(Group group, List<RowWrite> rows) {
        String table = "`" + shape.path() + "`";
        String names = names(group.ordinals());
        // many long names would not fit a call; members of the parameter are matched by name anyway
        boolean named = 2 * names.length() < settings.callTextBytes() - 1_000;
        if (group.form() == Form.UPDATE) {
            String head = "UPDATE " + table + " ON SELECT " + (named ? names : "*") + FROM;
            add(head, ") RETURNING " + names(new int[0]) + ";\n", group.ordinals(), rows, true);
        } else {
            String target = table + (named ? " (" + names + ") SELECT " + names : " SELECT *");
            add(group.form() + " INTO " + target + FROM, ");\n", group.ordinals(), rows, false);
        }
    }

    private Group group(RowWrite write) {
        if (write.operation() == Operation.REPLACE) {
            return new Group(Form.REPLACE, replaced(write.columns().ordinals()));
        }
        int[] carried = write.columns().ordinals();
        return new Group(isWholeEnough(carried) ? Form.UPSERT : Form.UPDATE, carried);
    }

    /** Whether a missing row could be made of the key and these columns. */
    private boolean isWholeEnough(int[] carried) {
        for (int ordinal = 0; ordinal < shape.columns().size(); ordinal++) {
            if (mustBeGiven(ordinal) && Arrays.binarySearch(carried, ordinal) < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean mustBeGiven(int ordinal) {
        Column column = shape.column(ordinal);
        return column.notNull() && !column.hasDefault() && !shape.isKey(ordinal) && !shape.isDropped(ordinal);
    }

    /**
     * The carried columns and every nullable one without default that a parameter can name, rising. One with a default that is
     * not carried is one that the source does not have at that position: when it gets it, the row has the default there.
     */
    private int[] replaced(int[] carried) {
        int[] all = new int[shape.columns().size()];
        int size = 0;
        for (int ordinal = 0; ordinal < all.length; ordinal++) {
            Column column = shape.column(ordinal);
            boolean clears = !column.notNull()
                    && !column.hasDefault()
                    && !shape.isKey(ordinal)
                    && !shape.isDropped(ordinal)
                    && column.type().kind().convertible();
            if (clears || Arrays.binarySearch(carried, ordinal) >= 0) {
                all[size++] = ordinal;
            }
        }
        return Arrays.copyOf(all, size);
    }

    private Optional<Refusal> refuses(RowWrite write) {
        int[] carried = write.columns().ordinals();
        for (int ordinal : carried) {
            if (shape.isDropped(ordinal)) {
                return Optional.of(new Refusal(write, gone(ordinal), true));
            }
        }
        return write.operation() != Operation.REPLACE || isWholeEnough(carried)
                ? Optional.empty()
                : Optional.of(new Refusal(write, incomplete(carried), false));
    }

    private Problem gone(int ordinal) {
        return new Problem(
                Problem.Reason.UNFIT_RECORD,
                "column " + shape.column(ordinal).name() + ", for which it carries a value, is no longer in table "
                        + shape.path(),
                "Restore the column with what it held, then set state to OK; or bring the stream in anew"
                        + " (docs/runbooks/bring-a-stream-in-anew.md)");
    }

    private Problem incomplete(int[] carried) {
        String missing = IntStream.range(0, shape.columns().size())
                .filter(ordinal -> mustBeGiven(ordinal) && Arrays.binarySearch(carried, ordinal) < 0)
                .mapToObj(ordinal -> shape.column(ordinal).name())
                .collect(Collectors.joining(", "));
        return new Problem(
                Problem.Reason.UNFIT_RECORD,
                "table " + shape.path() + " cannot take the whole row: it carries no value for NOT NULL column "
                        + missing,
                "Give the destination column a default, or make it nullable; then set state to OK and start again");
    }

    private void add(String head, String tail, int[] ordinals, List<RowWrite> rows, boolean checked) {
        Type type = listType(ordinals);
        int from = 0;
        while (from < rows.size()) {
            from = add(head, tail, type, ordinals, rows, from, checked);
        }
    }

    /** One statement for as many rows as fit. Returns the index of the first row left out. */
    private int add(
            String head, String tail, Type type, int[] ordinals, List<RowWrite> rows, int from, boolean checked) {
        int limit = checked ? Math.min(rows.size(), from + settings.returnedRows()) : rows.size();
        ParameterRows list = new ParameterRows(types(ordinals));
        @Nullable Object[] cells = new @Nullable Object[shape.keyOrdinals().size() + ordinals.length];
        int to = from;
        while (to < limit) {
            fill(cells, rows.get(to), ordinals);
            if (!list.add(cells, settings.callParameterBytes())) {
                break;
            }
            to++;
        }
        Optional<RowCheck> check = checked
                ? Optional.of(new RowCheck(
                        shape.path(),
                        rows.subList(from, to),
                        shape.keyOrdinals().stream().map(shape::column).toList()))
                : Optional.empty();
        statements.add(new Statement(head, tail, list.parameter(type), list.size(), check));
        return to;
    }

    /** Key, then the columns; NULL for those that the row does not carry. */
    private void fill(@Nullable Object[] cells, RowWrite write, int[] ordinals) {
        int size = write.key().size();
        for (int part = 0; part < size; part++) {
            cells[part] = write.key().part(part);
        }
        int[] carried = write.columns().ordinals();
        @Nullable Object[] values = write.columns().values();
        int at = 0;
        for (int ordinal : ordinals) {
            cells[size++] = at < carried.length && carried[at] == ordinal ? values[at++] : null;
        }
    }

    private List<YdbType> types(int[] ordinals) {
        return IntStream.concat(shape.keyOrdinals().stream().mapToInt(Integer::intValue), Arrays.stream(ordinals))
                .mapToObj(ordinal -> shape.column(ordinal).type())
                .toList();
    }

    private Type listType(int[] ordinals) {
        StructType.Builder struct = StructType.newBuilder();
        for (int key : shape.keyOrdinals()) {
            struct.addMembers(member(key));
        }
        for (int ordinal : ordinals) {
            struct.addMembers(member(ordinal));
        }
        return Params.listOf(struct);
    }

    private StructMember member(int ordinal) {
        Column column = shape.column(ordinal);
        return RowForm.member(column.name(), column.parameterType());
    }

    private String names(int[] ordinals) {
        StringBuilder names = new StringBuilder();
        for (int key : shape.keyOrdinals()) {
            names.append(names.isEmpty() ? "`" : ", `")
                    .append(shape.column(key).name())
                    .append('`');
        }
        for (int ordinal : ordinals) {
            names.append(", `").append(shape.column(ordinal).name()).append('`');
        }
        return names.toString();
    }
}
