package io.aardappel.replicator.ydb.preflight;

import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.codec.YdbType;
import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.StreamSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether a destination table can take what a source table's changefeed brings. Pure. */
final class TableCheck {
    private final TableShape source;
    private final TableShape destination;
    private final String object;
    private final Supplier<Optional<StreamSpec>> member;
    private final List<Finding> findings = new ArrayList<>();

    private TableCheck(TableShape source, TableShape destination, Supplier<Optional<StreamSpec>> member) {
        this.source = source;
        this.destination = destination;
        this.object = destination.path();
        this.member = member;
    }

    /**
     * What does not fit.
     *
     * @param member the stream between them where a checkpoint stands for it already; asked where that makes a difference
     */
    static List<Finding> of(TableShape source, TableShape destination, Supplier<Optional<StreamSpec>> member) {
        TableCheck check = new TableCheck(source, destination, member);
        check.keys();
        for (Column column : source.columns()) {
            if (!source.isKey(source.ordinal(column.name()))) {
                check.column(column);
            }
        }
        for (Column column : destination.columns()) {
            if (source.ordinal(column.name()) < 0 && !destination.isKey(destination.ordinal(column.name()))) {
                check.extra(column);
            }
        }
        return check.findings;
    }

    private void keys() {
        List<Column> from = keyColumns(source);
        List<Column> to = keyColumns(destination);
        String remedy = "Make the destination table anew, with the source's primary key: "
                + Statements.createTable(destination.path(), source);
        if (!from.stream()
                .map(Column::type)
                .toList()
                .equals(to.stream().map(Column::type).toList())) {
            error("its primary key " + key(to) + " is not " + key(from) + " as in the source", remedy);
            return;
        }
        List<String> fromNames = from.stream().map(Column::name).toList();
        List<String> toNames = to.stream().map(Column::name).toList();
        if (!fromNames.equals(toNames)) {
            boolean reordered = new HashSet<>(fromNames).equals(new HashSet<>(toNames));
            String what = "its primary key is named " + toNames + " and the source's " + fromNames;
            if (reordered) {
                error(what + ", in another order", remedy);
            } else {
                warning(what, "Keys are matched by their place; make sure that this is meant");
            }
        }
        for (int part = 0; part < from.size(); part++) {
            if (to.get(part).notNull() && !from.get(part).notNull()) {
                nullable(from.get(part));
            }
        }
    }

    private void column(Column from) {
        int ordinal = destination.ordinal(from.name());
        if (ordinal < 0) {
            error(
                    "it has no column " + from.name() + " " + from.type() + " of " + source.path(),
                    member.get().map(stream -> howToHaveTheColumn(stream, from)).orElseGet(() -> add(from)));
            return;
        }
        Column to = destination.column(ordinal);
        types(from, to);
        if (to.notNull() && !from.notNull()) {
            nullable(from);
        }
    }

    private String add(Column from) {
        return Statements.addColumn(destination.path(), from);
    }

    /** A source that got a column and a destination that lost one look alike from here. */
    private String howToHaveTheColumn(StreamSpec stream, Column from) {
        return "If this table had the column and lost it, adding it leaves NULL in every row that is not written again. "
                + Anew.bringIn(stream) + ". If the source got it only now, add it: " + add(from);
    }

    private void types(Column from, Column to) {
        if (!to.type().kind().convertible()) {
            error(
                    "column " + to.name() + " is of type " + to.type() + ", which changefeeds cannot fill",
                    "Give the destination column another type");
        } else if (!from.type().equals(to.type())) {
            int fromBits = Integers.bits(from.type().kind());
            int toBits = Integers.bits(to.type().kind());
            if (fromBits == 0 || toBits == 0) {
                error(
                        "column " + to.name() + " is " + to.type() + " here and " + from.type() + " in "
                                + source.path(),
                        "Give both columns one type");
            } else if (!Integers.holds(to.type().kind(), from.type().kind())) {
                warning(
                        "column " + to.name() + " is " + to.type() + " here and " + from.type() + " in " + source.path()
                                + ", so that some values do not fit",
                        "Give both columns one type");
            }
        }
    }

    private void nullable(Column from) {
        warning(
                "column " + from.name() + " is NOT NULL here and not in " + source.path()
                        + ", so that a NULL stops replication",
                "Make both columns alike");
    }

    private void extra(Column to) {
        if (to.notNull() && !to.hasDefault()) {
            error(
                    "column " + to.name() + " is NOT NULL without default and the source has no such column",
                    "Give the column a default, or make it nullable");
        } else {
            warning(
                    "column " + to.name() + " is not in the source",
                    "It gets its default, NULL without one, when a row is deleted or replaced there, and by updates too where the feed"
                            + " has new images; updates of mode UPDATES leave it alone");
        }
    }

    private void error(String what, String remedy) {
        findings.add(Finding.error(object, what, remedy));
    }

    private void warning(String what, String remedy) {
        findings.add(Finding.warning(object, what, remedy));
    }

    private static List<Column> keyColumns(TableShape shape) {
        return shape.keyOrdinals().stream().map(shape::column).toList();
    }

    private static String key(List<Column> columns) {
        return columns.stream()
                .map(column -> column.name() + " " + column.type())
                .toList()
                .toString();
    }

    /** Widths of the integer types, which changefeeds spell alike. */
    private static final class Integers {
        private Integers() {}

        /** Bits of an integer type, negative when it is unsigned, 0 for any other. */
        static int bits(YdbType.Kind kind) {
            return switch (kind) {
                case INT8 -> 8;
                case INT16 -> 16;
                case INT32 -> 32;
                case INT64 -> 64;
                case UINT8 -> -8;
                case UINT16 -> -16;
                case UINT32 -> -32;
                case UINT64 -> -64;
                default -> 0;
            };
        }

        static boolean holds(YdbType.Kind wide, YdbType.Kind narrow) {
            int to = bits(wide);
            int from = bits(narrow);
            if (to > 0) {
                return from > 0 ? from <= to : -from < to;
            }
            return from < 0 && from >= to;
        }
    }
}
