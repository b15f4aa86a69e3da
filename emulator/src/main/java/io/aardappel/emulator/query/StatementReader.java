package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes statements of parse trees. A reader serves one text, since its PRAGMAs change what follows. */
final class StatementReader {
    /** PRAGMAs that tune plans or warnings and never change a result that this engine gives. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "ansiinforemptyornullableitemscollections",
            "ansioptionalas",
            "disableansioptionalas",
            "warning",
            "warnings",
            "orderedcolumns",
            "disableorderedcolumns",
            "simplecolumns",
            "costbasedoptimizer",
            "ydb.costbasedoptimizationlevel",
            "ydb.optusefinalizebykey",
            "kikimr.optusefinalizebykey",
            "kikimr.useneweengine",
            "kikimr.usenewengine",
            "kikimr.isolationlevel",
            "ydb.maxtasksperstage",
            "ydb.enablespilling",
            "ydb.hashjoinmode",
            "syntax",
            "yql.syntax");

    private final TablePaths paths;
    private final QueryReader queries;
    private final ExpressionReader expressions;
    private final SchemeReader schemes;

    StatementReader(String database, List<Issue> problems) {
        this.paths = new TablePaths(database);
        this.queries = new QueryReader(paths, problems);
        this.expressions = queries.expressions();
        this.schemes = new SchemeReader(paths, expressions);
    }

    List<Statement> read(YqlParser.ScriptContext tree) {
        List<Statement> statements = new ArrayList<>();
        for (YqlParser.StatementContext statement : tree.statement()) {
            Statement read = read(statement);
            if (read != null) {
                statements.add(read);
            }
        }
        return statements;
    }

    /** Absolute paths of the tables and topics that were named so far. */
    Set<String> paths() {
        return paths.named();
    }

    private @Nullable Statement read(YqlParser.StatementContext tree) {
        if (tree.pragma() != null) {
            pragma(tree.pragma());
            return null;
        }
        if (tree.declare() != null) {
            YqlParser.DeclareContext declare = tree.declare();
            return new Statement.Declare(
                    Names.at(tree),
                    Names.variable(declare.VARIABLE().getSymbol()),
                    TypeReader.read(declare.typeName()));
        }
        if (tree.assignment() != null) {
            YqlParser.AssignmentContext assignment = tree.assignment();
            return new Statement.Assign(
                    Names.at(tree),
                    Names.variable(assignment.VARIABLE().getSymbol()),
                    expressions.assigned(assignment));
        }
        if (tree.query() != null) {
            return new Statement.Select(Names.at(tree), queries.read(tree.query()));
        }
        if (tree.write() != null) {
            return write(tree.write());
        }
        if (tree.update() != null) {
            return update(tree.update());
        }
        return tree.delete() != null ? delete(tree.delete()) : schemes.read(tree);
    }

    private void pragma(YqlParser.PragmaContext tree) {
        String name = Names.name(tree.name(0));
        if (tree.name().size() > 1) {
            name = name + "." + Names.name(tree.name(1));
        }
        if (name.equalsIgnoreCase("TablePathPrefix")) {
            if (tree.literal().size() != 1 || !(tree.literal(0) instanceof YqlParser.StringLiteralContext literal)) {
                throw Names.at(tree).error("PRAGMA TablePathPrefix takes one string");
            }
            paths.prefix(LiteralReader.text(literal.STRING().getSymbol()));
        } else if (!WITHOUT_EFFECT.contains(name.toLowerCase(Locale.ROOT))) {
            throw Names.at(tree).error("Unknown pragma: " + name);
        }
    }

    private Statement write(YqlParser.WriteContext tree) {
        RowWrite.Kind kind = switch (tree.kind.getType()) {
            case YqlParser.INSERT -> RowWrite.Kind.INSERT;
            case YqlParser.UPSERT -> RowWrite.Kind.UPSERT;
            default -> RowWrite.Kind.REPLACE;
        };
        return new Statement.Write(
                Names.at(tree),
                kind,
                path(tree.path()),
                columns(tree.names()),
                input(tree.writeSource()),
                returning(tree.returning()));
    }

    private Statement.Input input(YqlParser.WriteSourceContext tree) {
        if (tree instanceof YqlParser.QuerySourceContext query) {
            return new Statement.FromQuery(queries.read(query.query()));
        }
        List<List<Expression>> rows = ((YqlParser.ValuesSourceContext) tree)
                .valuesRow().stream()
                        .map(row ->
                                row.expression().stream().map(expressions::read).toList())
                        .toList();
        return new Statement.Rows(rows);
    }

    private Statement update(YqlParser.UpdateContext tree) {
        if (tree instanceof YqlParser.UpdateOnContext on) {
            return new Statement.Write(
                    Names.at(tree),
                    RowWrite.Kind.UPDATE,
                    path(on.path()),
                    columns(on.names()),
                    input(on.writeSource()),
                    returning(on.returning()));
        }
        YqlParser.UpdateWhereContext where = (YqlParser.UpdateWhereContext) tree;
        List<Statement.Set> sets = where.setItem().stream()
                .map(item -> new Statement.Set(
                        new Statement.Column(Names.at(item), Names.name(item.name())),
                        expressions.read(item.expression())))
                .toList();
        return new Statement.Update(
                Names.at(tree),
                path(where.path()),
                sets,
                expressions.readOptional(where.expression()),
                returning(where.returning()));
    }

    private Statement delete(YqlParser.DeleteContext tree) {
        if (tree instanceof YqlParser.DeleteOnContext on) {
            return new Statement.Write(
                    Names.at(tree),
                    RowWrite.Kind.DELETE,
                    path(on.path()),
                    columns(on.names()),
                    input(on.writeSource()),
                    returning(on.returning()));
        }
        YqlParser.DeleteWhereContext where = (YqlParser.DeleteWhereContext) tree;
        return new Statement.Delete(
                Names.at(tree),
                path(where.path()),
                expressions.readOptional(where.expression()),
                returning(where.returning()));
    }

    private String path(YqlParser.PathContext tree) {
        return paths.absolute(Names.name(tree.name()));
    }

    private static List<Statement.Column> columns(YqlParser.@Nullable NamesContext tree) {
        return tree == null ? List.of() : Names.columns(tree);
    }

    private static Statement.@Nullable Returning returning(YqlParser.@Nullable ReturningContext tree) {
        return tree == null ? null : new Statement.Returning(columns(tree.names()));
    }
}
