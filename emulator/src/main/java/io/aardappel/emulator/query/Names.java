package io.aardappel.emulator.query;

import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.syntax.Statement;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** Names and places as the text spells them. */
final class Names {
    private Names() {}

    static Position at(ParserRuleContext tree) {
        return at(tree.getStart());
    }

    static Position at(Token token) {
        return new Position(token.getLine(), token.getCharPositionInLine() + 1);
    }

    /** A name without its back-quotes. */
    static String name(YqlParser.NameContext tree) {
        return unquoted(tree.getText());
    }

    static List<Statement.Column> columns(YqlParser.NamesContext tree) {
        return tree.name().stream()
                .map(name -> new Statement.Column(at(name), name(name)))
                .toList();
    }

    static List<String> names(YqlParser.NamesContext tree) {
        return tree.name().stream().map(Names::name).toList();
    }

    /** A variable with its dollar sign, without back-quotes. */
    static String variable(Token token) {
        return "$" + unquoted(token.getText().substring(1));
    }

    private static String unquoted(String text) {
        return text.startsWith("`") ? text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1") : text;
    }
}
