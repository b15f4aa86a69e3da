package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.YqlParser.ArgumentContext;
import io.aardappel.emulator.query.YqlParser.ExpressionContext;
import io.aardappel.emulator.query.YqlParser.TermContext;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Numbers;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Makes expressions of parse trees. Bad literals are gathered, so that one answer names them all. */
final class ExpressionReader extends YqlBaseVisitor<Expression> {
    private final List<Issue> problems;
    private final QueryReader queries;

    /**
     * @param problems where bad literals are noted
     * @param queries reads queries inside expressions
     */
    ExpressionReader(List<Issue> problems, QueryReader queries) {
        this.problems = problems;
        this.queries = queries;
    }

    Expression read(ParserRuleContext tree) {
        return Objects.requireNonNull(visit(tree));
    }

    @Nullable
    Expression readOptional(@Nullable ParserRuleContext tree) {
        return tree == null ? null : read(tree);
    }

    private List<Expression> readAll(List<? extends ParserRuleContext> trees) {
        return trees.stream().map(this::read).toList();
    }

    // ------------------------------------------------------------------------------------------ logic

    @Override
    public Expression visitConditionExpression(YqlParser.ConditionExpressionContext tree) {
        return read(tree.condition());
    }

    @Override
    public Expression visitOrExpression(YqlParser.OrExpressionContext tree) {
        return logic(Operator.OR, tree, tree.expression());
    }

    @Override
    public Expression visitAndExpression(YqlParser.AndExpressionContext tree) {
        return logic(Operator.AND, tree, tree.expression());
    }

    @Override
    public Expression visitXorExpression(YqlParser.XorExpressionContext tree) {
        return logic(Operator.XOR, tree, tree.expression());
    }

    private Expression logic(Operator operator, ParserRuleContext tree, List<ExpressionContext> operands) {
        return new Expression.Binary(Names.at(tree), operator, read(operands.get(0)), read(operands.get(1)));
    }

    @Override
    public Expression visitCondition(YqlParser.ConditionContext tree) {
        Expression operand = read(tree.term());
        return tree.conditionTail() == null ? operand : tail(operand, tree.conditionTail());
    }

    private Expression tail(Expression operand, YqlParser.ConditionTailContext tail) {
        Position at = operand.at();
        if (tail instanceof YqlParser.EqualityTailContext equality) {
            return equality(operand, equality);
        }
        if (tail instanceof YqlParser.InTailContext in) {
            return new Expression.In(at, operand, in.NOT() != null, read(in.term()));
        }
        if (tail instanceof YqlParser.BetweenTailContext between) {
            return between(operand, between);
        }
        if (tail instanceof YqlParser.IsNullTailContext isNull) {
            return new Expression.IsNull(at, operand, isNull.NOT() != null);
        }
        if (tail instanceof YqlParser.IsNullTail2Context) {
            return new Expression.IsNull(at, operand, false);
        }
        if (tail instanceof YqlParser.NotNullTailContext) {
            return new Expression.IsNull(at, operand, true);
        }
        if (tail instanceof YqlParser.DistinctTailContext distinct) {
            Operator operator = distinct.NOT() == null ? Operator.DISTINCT_FROM : Operator.NOT_DISTINCT_FROM;
            return new Expression.Binary(at, operator, operand, read(distinct.term()));
        }
        return like(operand, (YqlParser.LikeTailContext) tail);
    }

    private Expression equality(Expression operand, YqlParser.EqualityTailContext tail) {
        Expression result = operand;
        for (int i = 0; i < tail.term().size(); i++) {
            int sign = tail.equalityOperator(i).getStart().getType();
            Operator operator =
                    sign == YqlParser.EQUALS || sign == YqlParser.EQUALS2 ? Operator.EQUAL : Operator.NOT_EQUAL;
            result = new Expression.Binary(operand.at(), operator, result, read(tail.term(i)));
        }
        return result;
    }

    private Expression between(Expression operand, YqlParser.BetweenTailContext tail) {
        if (tail.SYMMETRIC() != null) {
            throw Names.at(tail).error("BETWEEN SYMMETRIC is not supported");
        }
        return new Expression.Between(
                operand.at(), operand, tail.NOT() != null, read(tail.term(0)), read(tail.term(1)));
    }

    private Expression like(Expression operand, YqlParser.LikeTailContext tail) {
        int kind = tail.kind.getType();
        if (kind != YqlParser.LIKE && kind != YqlParser.ILIKE) {
            throw Names.at(tail.kind).error(tail.kind.getText().toUpperCase(Locale.ROOT) + " is not supported");
        }
        return new Expression.Like(
                operand.at(),
                operand,
                tail.NOT() != null,
                kind == YqlParser.ILIKE,
                read(tail.term(0)),
                readOptional(tail.term(1)));
    }

    // ------------------------------------------------------------------------------------------ operators

    @Override
    public Expression visitUnitTerm(YqlParser.UnitTermContext tree) {
        return read(tree.unit());
    }

    @Override
    public Expression visitUnaryTerm(YqlParser.UnaryTermContext tree) {
        Expression operand = tree.op.getType() == YqlParser.MINUS && digits(tree.term()) != null
                ? integer(Names.at(tree), "-" + digits(tree.term()))
                : read(tree.term());
        if (tree.op.getType() == YqlParser.MINUS && digits(tree.term()) != null) {
            return operand;
        }
        Operator operator = switch (tree.op.getType()) {
            case YqlParser.PLUS -> Operator.PLUS;
            case YqlParser.MINUS -> Operator.NEGATE;
            case YqlParser.TILDE -> Operator.BIT_NOT;
            default -> Operator.NOT;
        };
        if (operator == Operator.NEGATE
                && operand instanceof Expression.Literal literal
                && literal.value() instanceof Number number
                && !(number instanceof Long)) {
            Object negative = number instanceof Float f ? (Object) (-f) : (Object) (-number.doubleValue());
            return new Expression.Literal(Names.at(tree), literal.type(), negative, literal.bare());
        }
        return new Expression.Unary(Names.at(tree), operator, operand);
    }

    /** The text of a term that is an integer literal, to which a minus sign then belongs. */
    private static @Nullable String digits(TermContext term) {
        return term instanceof YqlParser.UnitTermContext unit
                        && unit.unit() instanceof YqlParser.LiteralUnitContext literal
                        && literal.literal() instanceof YqlParser.IntegerLiteralContext
                ? term.getText()
                : null;
    }

    @Override
    public Expression visitConcatTerm(YqlParser.ConcatTermContext tree) {
        return operation(Operator.CONCAT, tree, tree.term());
    }

    @Override
    public Expression visitCoalesceTerm(YqlParser.CoalesceTermContext tree) {
        return operation(Operator.COALESCE, tree, tree.term());
    }

    @Override
    public Expression visitShiftTerm(YqlParser.ShiftTermContext tree) {
        Operator operator = tree.shift().SHIFT_LEFT() == null ? Operator.SHIFT_RIGHT : Operator.SHIFT_LEFT;
        return operation(operator, tree, tree.term());
    }

    @Override
    public Expression visitBinaryTerm(YqlParser.BinaryTermContext tree) {
        Operator operator = switch (tree.op.getType()) {
            case YqlParser.STAR -> Operator.MULTIPLY;
            case YqlParser.SLASH -> Operator.DIVIDE;
            case YqlParser.PERCENT -> Operator.MODULO;
            case YqlParser.PLUS -> Operator.ADD;
            case YqlParser.MINUS -> Operator.SUBTRACT;
            case YqlParser.AMPERSAND -> Operator.BIT_AND;
            case YqlParser.PIPE -> Operator.BIT_OR;
            case YqlParser.CARET -> Operator.BIT_XOR;
            case YqlParser.LESS -> Operator.LESS;
            case YqlParser.LESS_EQUALS -> Operator.LESS_EQUAL;
            case YqlParser.GREATER -> Operator.GREATER;
            default -> Operator.GREATER_EQUAL;
        };
        return operation(operator, tree, tree.term());
    }

    private Expression operation(Operator operator, ParserRuleContext tree, List<TermContext> operands) {
        return new Expression.Binary(Names.at(tree), operator, read(operands.get(0)), read(operands.get(1)));
    }

    // ------------------------------------------------------------------------------------------ units

    @Override
    public Expression visitMemberUnit(YqlParser.MemberUnitContext tree) {
        String member = tree.name() == null ? tree.INTEGER().getText() : Names.name(tree.name());
        return new Expression.Member(Names.at(tree), read(tree.unit()), member);
    }

    @Override
    public Expression visitIndexUnit(YqlParser.IndexUnitContext tree) {
        return new Expression.Index(Names.at(tree), read(tree.unit()), read(tree.expression()));
    }

    @Override
    public Expression visitApplyUnit(YqlParser.ApplyUnitContext tree) {
        return new Expression.Apply(Names.at(tree), read(tree.unit()), arguments(tree.arguments()));
    }

    @Override
    public Expression visitVariableUnit(YqlParser.VariableUnitContext tree) {
        return new Expression.Variable(
                Names.at(tree), Names.variable(tree.VARIABLE().getSymbol()));
    }

    @Override
    public Expression visitCastUnit(YqlParser.CastUnitContext tree) {
        return new Expression.Cast(Names.at(tree), read(tree.expression()), TypeReader.read(tree.typeName()));
    }

    @Override
    public Expression visitNothingUnit(YqlParser.NothingUnitContext tree) {
        return new Expression.Nothing(Names.at(tree), TypeReader.read(tree.typeName()));
    }

    @Override
    public Expression visitCaseUnit(YqlParser.CaseUnitContext tree) {
        List<ExpressionContext> parts = new ArrayList<>(tree.expression());
        if (tree.operand != null) {
            parts.remove(0);
        }
        if (tree.otherwise != null) {
            parts.remove(parts.size() - 1);
        }
        List<Expression.When> branches = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            branches.add(new Expression.When(read(parts.get(i)), read(parts.get(i + 1))));
        }
        return new Expression.Case(Names.at(tree), readOptional(tree.operand), branches, readOptional(tree.otherwise));
    }

    @Override
    public Expression visitCallUnit(YqlParser.CallUnitContext tree) {
        YqlParser.FunctionNameContext function = tree.functionName();
        String name = Names.name(function.name(0));
        if (function.name().size() > 1) {
            name = name + "::" + Names.name(function.name(1));
        }
        List<Expression.Argument> arguments = arguments(tree.arguments());
        Expression literal = typedLiteral(Names.at(tree), name, arguments);
        return literal != null
                ? literal
                : new Expression.Call(Names.at(tree), name, tree.DISTINCT() != null, tree.STAR() != null, arguments);
    }

    private @Nullable Expression typedLiteral(Position at, String name, List<Expression.Argument> arguments) {
        LiteralReader.Typed typed = LiteralReader.typed(name, arguments);
        if (typed == null) {
            return null;
        }
        if (typed.value() == null) {
            problems.add(at.issue(0, "Invalid value \"" + typed.text() + "\" for type " + typed.type()));
        }
        return new Expression.Literal(at, typed.type(), typed.value(), false);
    }

    private List<Expression.Argument> arguments(YqlParser.@Nullable ArgumentsContext tree) {
        List<Expression.Argument> arguments = new ArrayList<>();
        if (tree != null) {
            for (ArgumentContext argument : tree.argument()) {
                String name = argument.name() == null ? null : Names.name(argument.name());
                arguments.add(new Expression.Argument(read(argument.expression()), name));
            }
        }
        return arguments;
    }

    @Override
    public Expression visitNameUnit(YqlParser.NameUnitContext tree) {
        return new Expression.Name(Names.at(tree), Names.name(tree.name()));
    }

    @Override
    public Expression visitExistsUnit(YqlParser.ExistsUnitContext tree) {
        return new Expression.Exists(Names.at(tree), queries.read(tree.query()));
    }

    @Override
    public Expression visitSubqueryUnit(YqlParser.SubqueryUnitContext tree) {
        return new Expression.Subquery(Names.at(tree), queries.read(tree.query()));
    }

    @Override
    public Expression visitLambdaUnit(YqlParser.LambdaUnitContext tree) {
        YqlParser.LambdaContext lambda = tree.lambda();
        List<String> parameters = lambda.VARIABLE().stream()
                .map(variable -> Names.variable(variable.getSymbol()))
                .toList();
        List<Expression.Assignment> assignments = lambda.assignment().stream()
                .map(assignment -> new Expression.Assignment(
                        Names.variable(assignment.VARIABLE().getSymbol()), assigned(assignment)))
                .toList();
        return new Expression.Lambda(Names.at(tree), parameters, assignments, read(lambda.expression()));
    }

    /** The value of {@code $x = ...}; a query stands for its rows. */
    Expression assigned(YqlParser.AssignmentContext tree) {
        return tree.expression() != null ? read(tree.expression()) : read(tree.bareQuery());
    }

    @Override
    public Expression visitBareQuery(YqlParser.BareQueryContext tree) {
        return new Expression.Subquery(Names.at(tree), queries.read(tree));
    }

    @Override
    public Expression visitGroupUnit(YqlParser.GroupUnitContext tree) {
        return read(tree.expression());
    }

    @Override
    public Expression visitTupleUnit(YqlParser.TupleUnitContext tree) {
        return new Expression.Tuple(Names.at(tree), readAll(tree.expression()));
    }

    @Override
    public Expression visitListUnit(YqlParser.ListUnitContext tree) {
        return new Expression.ListOf(Names.at(tree), readAll(tree.expression()));
    }

    @Override
    public Expression visitStructUnit(YqlParser.StructUnitContext tree) {
        List<String> names = tree.structMember().stream()
                .map(member -> member.name() != null
                        ? Names.name(member.name())
                        : LiteralReader.text(member.STRING().getSymbol()))
                .toList();
        List<Expression> items = tree.structMember().stream()
                .map(member -> read(member.expression()))
                .toList();
        return new Expression.Struct(Names.at(tree), names, items);
    }

    @Override
    public Expression visitDictUnit(YqlParser.DictUnitContext tree) {
        List<Expression> keys = new ArrayList<>();
        List<Expression> payloads = new ArrayList<>();
        for (YqlParser.DictMemberContext member : tree.dictMember()) {
            if (member.expression().size() < 2) {
                throw Names.at(member).error("A set literal is not supported");
            }
            keys.add(read(member.expression(0)));
            payloads.add(read(member.expression(1)));
        }
        return new Expression.Dict(Names.at(tree), keys, payloads);
    }

    // ------------------------------------------------------------------------------------------ literals

    @Override
    public Expression visitLiteralUnit(YqlParser.LiteralUnitContext tree) {
        return read(tree.literal());
    }

    @Override
    public Expression visitNullLiteral(YqlParser.NullLiteralContext tree) {
        return new Expression.Literal(Names.at(tree), Type.Unit.NULL, null, true);
    }

    @Override
    public Expression visitTrueLiteral(YqlParser.TrueLiteralContext tree) {
        return new Expression.Literal(Names.at(tree), Primitive.BOOL, true, false);
    }

    @Override
    public Expression visitFalseLiteral(YqlParser.FalseLiteralContext tree) {
        return new Expression.Literal(Names.at(tree), Primitive.BOOL, false, false);
    }

    @Override
    public Expression visitStringLiteral(YqlParser.StringLiteralContext tree) {
        Token token = tree.STRING().getSymbol();
        Bytes bytes = LiteralReader.bytes(token);
        Primitive type = LiteralReader.stringType(token);
        Object value = LiteralReader.ofBytes(type, bytes);
        if (value == null) {
            problems.add(Names.at(token).issue(0, "Invalid value " + token.getText() + " for type " + type));
        }
        return new Expression.Literal(Names.at(token), type, value, type == Primitive.STRING);
    }

    @Override
    public Expression visitIntegerLiteral(YqlParser.IntegerLiteralContext tree) {
        return integer(Names.at(tree), tree.getText());
    }

    private Expression integer(Position at, String text) {
        BigInteger number = LiteralReader.number(text);
        Primitive type = LiteralReader.integerType(text, number);
        Long value = Numbers.exact(type, number);
        if (value == null) {
            problems.add(at.issue(0, "The number " + text + " is out of range for type " + type));
        }
        return new Expression.Literal(at, type, value == null ? 0L : value, true);
    }

    @Override
    public Expression visitRealLiteral(YqlParser.RealLiteralContext tree) {
        String text = tree.getText();
        boolean isFloat = text.endsWith("f") || text.endsWith("F");
        Object value = isFloat ? (Object) Float.valueOf(text.substring(0, text.length() - 1)) : Double.valueOf(text);
        return new Expression.Literal(Names.at(tree), isFloat ? Primitive.FLOAT : Primitive.DOUBLE, value, !isFloat);
    }
}
