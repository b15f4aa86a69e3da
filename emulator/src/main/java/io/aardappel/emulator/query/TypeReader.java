package io.aardappel.emulator.query;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.YqlParser.TypeNameContext;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.TypeNames;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

/** Types as a text spells them. */
final class TypeReader {
    private TypeReader() {}

    static Type read(TypeNameContext tree) {
        Type type = base(tree.typeBase());
        for (ParseTree child : tree.children) {
            if (child instanceof TerminalNode mark) {
                for (int i = 0; i < mark.getText().length(); i++) {
                    type = new Type.Optional(type);
                }
            }
        }
        return type;
    }

    private static Type base(YqlParser.TypeBaseContext tree) {
        if (tree instanceof YqlParser.SimpleTypeContext simple) {
            return simple(simple.name());
        }
        if (tree instanceof YqlParser.DecimalTypeContext decimal) {
            return decimal(
                    Names.at(tree),
                    LiteralReader.number(decimal.INTEGER(0).getText()).intValue(),
                    LiteralReader.number(decimal.INTEGER(1).getText()).intValue());
        }
        if (tree instanceof YqlParser.OptionalTypeContext optional) {
            return new Type.Optional(read(optional.typeName()));
        }
        if (tree instanceof YqlParser.ListTypeContext list) {
            return new Type.ListOf(read(list.typeName()));
        }
        if (tree instanceof YqlParser.TupleTypeContext tuple) {
            return new Type.Tuple(
                    tuple.typeName().stream().map(TypeReader::read).toList());
        }
        if (tree instanceof YqlParser.DictTypeContext dict) {
            return new Type.Dict(read(dict.typeName(0)), read(dict.typeName(1)));
        }
        return struct((YqlParser.StructTypeContext) tree);
    }

    private static Type simple(YqlParser.NameContext tree) {
        String name = Names.name(tree);
        Type type = TypeNames.simple(name);
        if (type == null) {
            throw Names.at(tree).error("Unknown type: '" + name + "'");
        }
        return type;
    }

    private static Type struct(YqlParser.StructTypeContext tree) {
        List<Type.Member> members = tree.memberType().stream()
                .map(member -> new Type.Member(
                        member.name() != null
                                ? Names.name(member.name())
                                : LiteralReader.text(member.STRING().getSymbol()),
                        read(member.typeName())))
                .toList();
        return new Type.Struct(members);
    }

    /** A decimal type within YDB's bounds. */
    static Type.Decimal decimal(Position at, int precision, int scale) {
        if (precision < 1 || precision > 35 || scale < 0 || scale > precision) {
            throw at.error(String.format(
                    Locale.ROOT,
                    "Invalid decimal type Decimal(%d,%d): precision is 1 to 35, scale 0 to the precision",
                    precision,
                    scale));
        }
        return new Type.Decimal(precision, scale);
    }
}
