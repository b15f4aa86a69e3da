package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Types;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code LIKE} and {@code ILIKE}. */
final class Patterns {
    private Patterns() {}

    static Typed like(ExpressionBinder binder, Expression.Like like, Scope scope) {
        Typed text = binder.bind(like.operand(), scope);
        Typed pattern = binder.bind(like.pattern(), scope);
        Typed escape = like.escape() == null ? null : binder.bind(like.escape(), scope);
        if (!Types.isText(text.type().unwrapped())
                || !Types.isText(pattern.type().unwrapped())) {
            throw like.at()
                    .error("LIKE expects strings, but got: " + Types.show(text.type()) + " and "
                            + Types.show(pattern.type()));
        }
        boolean nullable = text.nullable() || pattern.nullable();
        return Typed.of(
                nullable ? Primitive.BOOL.nullable() : Primitive.BOOL, text.fixed() && pattern.fixed(), frame -> {
                    Object value = text.eval().of(frame);
                    Object form = pattern.eval().of(frame);
                    if (value == null || form == null) {
                        return null;
                    }
                    Object sign = escape == null ? null : escape.eval().of(frame);
                    boolean found = matches(like.at(), string(value), string(form), sign, like.ignoreCase());
                    return found != like.negated();
                });
    }

    private static String string(Object text) {
        return text instanceof Bytes bytes ? new String(bytes.array(), StandardCharsets.UTF_8) : (String) text;
    }

    /** Text with one character for each byte. */
    static String latin1(Object text) {
        byte[] bytes = text instanceof Bytes b ? b.array() : ((String) text).getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static boolean matches(
            Position at, String text, String pattern, @Nullable Object escape, boolean ignoreCase) {
        String sign = escape == null ? "" : string(escape);
        if (sign.length() > 1) {
            throw at.error("ESCAPE takes one character");
        }
        int flags = Pattern.DOTALL | (ignoreCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        return Pattern.compile(regex(pattern, sign), flags).matcher(text).matches();
    }

    private static String regex(String pattern, String escape) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (!escape.isEmpty() && c == escape.charAt(0) && i + 1 < pattern.length()) {
                regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
            } else if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }
}
