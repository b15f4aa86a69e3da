package io.aardappel.emulator.query;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.value.Conversions;
import io.aardappel.emulator.query.value.TextForm;
import io.aardappel.emulator.query.value.TypeNames;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Values of literals. */
final class LiteralReader {
    /** A literal with a constructor, such as {@code Date('2024-02-29')}; the value is null when the text is none. */
    record Typed(Type type, String text, @Nullable Object value) {}

    private LiteralReader() {}

    /** The literal that a call of a type's name with constant text is, null when the call is something else. */
    static @Nullable Typed typed(String name, List<Expression.Argument> arguments) {
        if (arguments.isEmpty()) {
            return null;
        }
        String text = constantText(arguments.get(0).value());
        if (text == null) {
            return null;
        }
        Type type = arguments.size() == 1 ? TypeNames.simple(name) : decimal(name, arguments);
        return type instanceof Primitive || type instanceof Type.Decimal
                ? new Typed(type, text, TextForm.parse(type, text))
                : null;
    }

    private static @Nullable String constantText(Expression expression) {
        if (!(expression instanceof Expression.Literal literal)) {
            return null;
        }
        return literal.value() instanceof Bytes bytes
                ? Conversions.utf8(bytes)
                : literal.value() instanceof String text ? text : null;
    }

    private static Type.@Nullable Decimal decimal(String name, List<Expression.Argument> arguments) {
        if (!name.equalsIgnoreCase("decimal") || arguments.size() != 3) {
            return null;
        }
        int[] numbers = new int[2];
        for (int i = 0; i < 2; i++) {
            if (!(arguments.get(i + 1).value() instanceof Expression.Literal literal)
                    || !(literal.value() instanceof Long number)) {
                return null;
            }
            numbers[i] = (int) Math.max(-1, Math.min(number, 100));
        }
        return TypeReader.decimal(arguments.get(1).value().at(), numbers[0], numbers[1]);
    }

    /** The type that the suffix of a string literal asks for. */
    static Primitive stringType(Token token) {
        return switch (suffix(token.getText())) {
            case 'u' -> Primitive.UTF8;
            case 'y' -> Primitive.YSON;
            case 'j' -> Primitive.JSON;
            default -> Primitive.STRING;
        };
    }

    private static char suffix(String text) {
        char last = Character.toLowerCase(text.charAt(text.length() - 1));
        return last == '\'' || last == '"' || last == '@' ? 's' : last;
    }

    static @Nullable Object ofBytes(Primitive type, Bytes bytes) {
        if (type == Primitive.STRING || type == Primitive.YSON) {
            return bytes;
        }
        String text = Conversions.utf8(bytes);
        return text == null ? null : TextForm.parse(type, text);
    }

    /** The text of a string literal; bytes that are no UTF-8 are replaced. */
    static String text(Token token) {
        return new String(bytes(token).array(), StandardCharsets.UTF_8);
    }

    /** The content of a string literal with its escapes resolved. */
    static Bytes bytes(Token token) {
        String literal = token.getText();
        int end = literal.length();
        char last = literal.charAt(end - 1);
        if (last != '\'' && last != '"' && last != '@') {
            end--;
        }
        if (literal.startsWith("@@")) {
            String raw = literal.substring(2, end - 2).replace("@@@@", "@@");
            return new Bytes(raw.getBytes(StandardCharsets.UTF_8));
        }
        return new Bytes(unescape(Names.at(token), literal.substring(1, end - 1)));
    }

    private static byte[] unescape(io.aardappel.emulator.query.syntax.Position at, String text) {
        if (text.indexOf('\\') < 0) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c != '\\') {
                int codePoint = text.codePointAt(i);
                out.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(codePoint);
                continue;
            }
            try {
                i = escape(text, i + 1, out);
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw at.error("Bad escape sequence in the string literal '" + text + "'");
            }
        }
        return out.toByteArray();
    }

    /** Writes what the escape at this place stands for and returns the place behind it. */
    @SuppressWarnings("StatementSwitchToExpressionSwitch") // each case ends the method
    private static int escape(String text, int at, ByteArrayOutputStream out) {
        char c = text.charAt(at);
        switch (c) {
            case 'x':
                out.write(Integer.parseInt(text.substring(at + 1, at + 3), 16));
                return at + 3;
            case 'u', 'U':
                int length = c == 'u' ? 4 : 8;
                int codePoint = Integer.parseInt(text.substring(at + 1, at + 1 + length), 16);
                out.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
                return at + 1 + length;
            case '0', '1', '2', '3', '4', '5', '6', '7':
                int end = at;
                while (end < text.length() && end < at + 3 && Character.digit(text.charAt(end), 8) >= 0) {
                    end++;
                }
                out.write(Integer.parseInt(text.substring(at, end), 8));
                return end;
            default:
                int known = "abfnrtv".indexOf(c);
                String meaning = known < 0
                        ? Character.toString(text.codePointAt(at))
                        : "\u0007\b\f\n\r\t\u000b".substring(known, known + 1);
                out.writeBytes(meaning.getBytes(StandardCharsets.UTF_8));
                return at + (known < 0 ? meaning.length() : 1);
        }
    }

    /** The number of an integer literal with its sign, whatever its base and suffix. */
    static BigInteger number(String text) {
        boolean negative = text.startsWith("-");
        String digits = withoutSuffix((negative ? text.substring(1) : text).toLowerCase(Locale.ROOT));
        int radix = 10;
        if (digits.length() > 2 && digits.charAt(0) == '0') {
            radix = switch (digits.charAt(1)) {
                case 'x' -> 16;
                case 'o' -> 8;
                case 'b' -> 2;
                default -> 10;
            };
        }
        BigInteger number = new BigInteger(radix == 10 ? digits : digits.substring(2), radix);
        return negative ? number.negate() : number;
    }

    private static String withoutSuffix(String digits) {
        int end = digits.length();
        while (end > 0 && "utsl".indexOf(digits.charAt(end - 1)) >= 0) {
            end--;
        }
        return digits.substring(0, end);
    }

    /** Without a suffix the first of Int32, Int64, Uint64 that holds the number. */
    static Primitive integerType(String text, BigInteger number) {
        String lower = text.toLowerCase(Locale.ROOT);
        return switch (lower.substring(withoutSuffix(lower).length())) {
            case "u" -> Primitive.UINT32;
            case "ul" -> Primitive.UINT64;
            case "ut" -> Primitive.UINT8;
            case "us" -> Primitive.UINT16;
            case "l" -> Primitive.INT64;
            case "t" -> Primitive.INT8;
            case "s" -> Primitive.INT16;
            default ->
                number.bitLength() < 32
                        ? Primitive.INT32
                        : number.bitLength() < 64 ? Primitive.INT64 : Primitive.UINT64;
        };
    }
}
