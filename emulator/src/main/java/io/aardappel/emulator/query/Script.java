package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.syntax.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One text.
 *
 * @param statements in order
 * @param paths absolute, of the tables and topics that are named
 * @param warnings on what is odd though it can run
 */
record Script(List<Statement> statements, Set<String> paths, List<Issue> warnings) {
    /** Deeper nesting of parentheses and operators is refused, so that no text can exhaust the stack. */
    private static final int NESTING_MAX = 400;
    /** Longer lists of what could stand at the place of an error help nobody. */
    private static final int HINT_MAX = 100;

    /** YQL's code of the warning on a name that is not used. */
    private static final int UNUSED_SYMBOL = 4527;

    Script {
        warnings = List.copyOf(warnings);
        statements = List.copyOf(statements);
        paths = Set.copyOf(paths);
    }

    static Script parse(String database, String text) {
        CommonTokenStream tokens = tokens(text);
        List<Issue> problems = new ArrayList<>();
        StatementReader reader = new StatementReader(database, problems);
        List<Statement> statements = reader.read(tree(tokens));
        if (!problems.isEmpty()) {
            throw new YdbException(Status.GENERIC_ERROR, problems);
        }
        return new Script(statements, reader.paths(), unused(statements, tokens.getTokens()));
    }

    /** Named expressions that nothing names afterwards. */
    private static List<Issue> unused(List<Statement> statements, List<Token> tokens) {
        Map<String, Long> mentions = tokens.stream()
                .filter(token -> token.getType() == YqlLexer.VARIABLE)
                .collect(Collectors.groupingBy(Names::variable, Collectors.counting()));
        return statements.stream()
                .filter(Statement.Assign.class::isInstance)
                .map(Statement.Assign.class::cast)
                .filter(assign -> mentions.getOrDefault(assign.name(), 0L) == 1)
                .map(assign -> new Issue(
                        UNUSED_SYMBOL,
                        "Symbol " + assign.name() + " is not used",
                        assign.at().row(),
                        assign.at().column(),
                        List.of()))
                .toList();
    }

    private static CommonTokenStream tokens(String text) {
        YqlLexer lexer = new YqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        lexer.addErrorListener(new Refusing());
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        tokens.fill();
        refuseDeepNesting(tokens.getTokens());
        return tokens;
    }

    private static void refuseDeepNesting(List<Token> tokens) {
        int depth = 0;
        for (Token token : tokens) {
            switch (token.getType()) {
                case YqlLexer.LPAREN, YqlLexer.LBRACKET, YqlLexer.LBRACE, YqlLexer.STRUCT_OPEN, YqlLexer.CASE ->
                    depth++;
                case YqlLexer.RPAREN, YqlLexer.RBRACKET, YqlLexer.RBRACE, YqlLexer.STRUCT_CLOSE, YqlLexer.END ->
                    depth = Math.max(0, depth - 1);
                default -> {}
            }
            if (depth > NESTING_MAX) {
                throw Names.at(token).error("The text is nested too deeply, at most " + NESTING_MAX + " levels");
            }
        }
    }

    /** The quick prediction serves nearly every text; the full one decides what it cannot, and words the errors. */
    private static YqlParser.ScriptContext tree(CommonTokenStream tokens) {
        YqlParser parser = new YqlParser(tokens);
        parser.removeErrorListeners();
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        parser.setErrorHandler(new BailErrorStrategy());
        try {
            return parser.script();
        } catch (ParseCancellationException e) {
            tokens.seek(0);
            parser.reset();
            parser.addErrorListener(new Refusing());
            parser.setErrorHandler(new DefaultErrorStrategy());
            parser.getInterpreter().setPredictionMode(PredictionMode.LL);
            return parser.script();
        }
    }

    /** Ends the parse at the first error. */
    private static final class Refusing extends BaseErrorListener {
        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object offending,
                int line,
                int column,
                String message,
                @Nullable RecognitionException cause) {
            throw new Position(line, column + 1).error(describe(offending, message));
        }

        private static String describe(@Nullable Object offending, String message) {
            if (!(offending instanceof Token token)) {
                return message;
            }
            int expecting = message.indexOf(" expecting ");
            String hint = expecting < 0 || message.length() - expecting > HINT_MAX
                    ? "this is not supported here"
                    : message.substring(expecting + 1);
            return token.getType() == Token.EOF
                    ? "Unexpected end of the text, " + hint
                    : "Unexpected token '" + token.getText() + "', " + hint;
        }
    }
}
