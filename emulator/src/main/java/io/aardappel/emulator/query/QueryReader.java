package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.query.YqlParser.QueryPartContext;
import io.aardappel.emulator.query.YqlParser.SelectCoreContext;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/** Makes queries of parse trees. */
final class QueryReader {
    private final TablePaths paths;
    private final ExpressionReader expressions;

    QueryReader(TablePaths paths, List<Issue> problems) {
        this.paths = paths;
        this.expressions = new ExpressionReader(problems, this);
    }

    ExpressionReader expressions() {
        return expressions;
    }

    Query read(YqlParser.QueryContext tree) {
        return query(tree, parts(tree.queryPart()), tree.orderBy(), tree.limit());
    }

    Query read(YqlParser.BareQueryContext tree) {
        List<Query.Part> parts = new ArrayList<>();
        parts.add(core(tree.selectCore()));
        parts.addAll(parts(tree.queryPart()));
        return query(tree, parts, tree.orderBy(), tree.limit());
    }

    private List<Query.Part> parts(List<QueryPartContext> trees) {
        List<Query.Part> parts = new ArrayList<>();
        for (QueryPartContext part : trees) {
            parts.add(part.query() != null ? new Query.Nested(read(part.query())) : core(part.selectCore()));
        }
        return parts;
    }

    private Query query(
            ParserRuleContext tree,
            List<Query.Part> parts,
            YqlParser.@Nullable OrderByContext orderBy,
            YqlParser.@Nullable LimitContext limit) {
        List<Query.Order> order = new ArrayList<>();
        if (orderBy != null) {
            for (YqlParser.OrderItemContext item : orderBy.orderItem()) {
                order.add(new Query.Order(expressions.read(item.expression()), item.DESC() != null));
            }
        }
        Expression count = limit == null ? null : expressions.read(limit.count);
        Expression offset = limit == null ? null : expressions.readOptional(limit.offset);
        if (limit != null && limit.second != null) {
            // LIMIT offset, count
            offset = count;
            count = expressions.read(limit.second);
        }
        return new Query(Names.at(tree), parts, order, count, offset);
    }

    private Query.Core core(SelectCoreContext tree) {
        List<Query.Group> groups = tree.groupItem().stream()
                .map(item -> new Query.Group(
                        expressions.read(item.expression()), item.name() == null ? null : Names.name(item.name())))
                .toList();
        return new Query.Core(
                Names.at(tree),
                tree.DISTINCT() != null,
                tree.selectItem().stream().map(this::item).toList(),
                tree.from() == null ? null : from(tree.from()),
                expressions.readOptional(tree.where),
                groups,
                expressions.readOptional(tree.having));
    }

    private Query.Item item(YqlParser.SelectItemContext tree) {
        if (tree instanceof YqlParser.StarItemContext) {
            return new Query.Star(Names.at(tree), null);
        }
        if (tree instanceof YqlParser.SourceStarItemContext star) {
            return new Query.Star(Names.at(tree), Names.name(star.name()));
        }
        YqlParser.ValueItemContext value = (YqlParser.ValueItemContext) tree;
        return new Query.Value(
                expressions.read(value.expression()), value.alias == null ? null : Names.name(value.alias));
    }

    private Query.Source from(YqlParser.FromContext tree) {
        Query.Source result = source(tree.source(0));
        int at = 1;
        for (int i = 0; i < tree.joinKind().size(); i++) {
            YqlParser.JoinKindContext kind = tree.joinKind(i);
            Query.Source right = source(tree.source(i + 1));
            at = tree.children.indexOf(tree.source(i + 1)) + 1;
            Expression on = null;
            List<String> using = List.of();
            if (at < tree.children.size() && tree.children.get(at).getText().equalsIgnoreCase("on")) {
                on = expressions.read((ParserRuleContext) tree.children.get(at + 1));
            } else if (at < tree.children.size()
                    && tree.children.get(at).getText().equalsIgnoreCase("using")) {
                using = using(tree, at + 1);
            }
            result = new Query.Join(Names.at(kind), kind(kind), result, right, on, using);
        }
        return result;
    }

    private static List<String> using(YqlParser.FromContext tree, int at) {
        if (tree.children.get(at) instanceof YqlParser.NameContext name) {
            return List.of(Names.name(name));
        }
        return Names.names((YqlParser.NamesContext) tree.children.get(at + 1));
    }

    private static Query.Join.Kind kind(YqlParser.JoinKindContext tree) {
        if (tree instanceof YqlParser.InnerJoinContext) {
            return Query.Join.Kind.INNER;
        }
        if (tree instanceof YqlParser.LeftJoinContext) {
            return Query.Join.Kind.LEFT;
        }
        if (tree instanceof YqlParser.RightJoinContext) {
            return Query.Join.Kind.RIGHT;
        }
        if (tree instanceof YqlParser.FullJoinContext) {
            return Query.Join.Kind.FULL;
        }
        if (tree instanceof YqlParser.CrossJoinContext) {
            return Query.Join.Kind.CROSS;
        }
        throw Names.at(tree).error("SEMI, ONLY and EXCLUSION joins are not supported");
    }

    private Query.Source source(YqlParser.SourceContext tree) {
        String alias = tree.alias == null ? null : Names.name(tree.alias);
        YqlParser.SourceBaseContext base = tree.sourceBase();
        if (base instanceof YqlParser.ListSourceContext list) {
            return new Query.Values(Names.at(tree), expressions.read(list.expression()), alias);
        }
        if (base instanceof YqlParser.VariableSourceContext variable) {
            String name = Names.variable(variable.VARIABLE().getSymbol());
            return new Query.Named(Names.at(tree), name, alias);
        }
        if (base instanceof YqlParser.SubquerySourceContext subquery) {
            return new Query.Derived(Names.at(tree), read(subquery.query()), alias);
        }
        YqlParser.TableSourceContext table = (YqlParser.TableSourceContext) base;
        String name = Names.name(table.path().name());
        String index = table.name() == null ? null : Names.name(table.name());
        return new Query.Table(Names.at(tree), paths.absolute(name), name, index, alias);
    }
}
