package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.Conversions;
import io.aardappel.emulator.query.value.Types;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** {@code DateTime::Format}: points in time as text by a pattern of {@code %Y}, {@code %m} and the like, in UTC. */
final class TimeFormat {
    private TimeFormat() {}

    static Typed apply(Position at, Expression pattern, Typed value) {
        if (!(pattern instanceof Expression.Literal literal) || !(literal.value() instanceof Bytes bytes)) {
            throw at.error("DateTime::Format takes a string literal");
        }
        if (!Types.isPoint(value.type().unwrapped())) {
            throw at.error("DateTime::Format does not take " + Types.show(value.type()));
        }
        String text = Conversions.utf8(bytes);
        DateTimeFormatter formatter = formatter(at, text == null ? "" : text);
        long unit = Types.microsPerUnit(value.type().unwrapped());
        Conversion.Step step = point -> point == null
                ? null
                : new Bytes(formatter
                        .format(Instant.EPOCH.plus((Long) point * unit, ChronoUnit.MICROS))
                        .getBytes(StandardCharsets.UTF_8));
        return value.then(new Conversion(value.nullable() ? Primitive.STRING.nullable() : Primitive.STRING, step));
    }

    private static DateTimeFormatter formatter(Position at, String pattern) {
        StringBuilder java = new StringBuilder();
        int i = 0;
        while (i < pattern.length()) {
            char c = pattern.charAt(i++);
            if (c != '%') {
                java.append('\'').append(c == '\'' ? "\'" : c).append('\'');
                continue;
            }
            java.append(
                    switch (i < pattern.length() ? pattern.charAt(i++) : ' ') {
                        case 'Y' -> "uuuu";
                        case 'm' -> "MM";
                        case 'd' -> "dd";
                        case 'H' -> "HH";
                        case 'M' -> "mm";
                        case 'S' -> "ss";
                        case 'z' -> "xx";
                        case 'Z' -> "'GMT'";
                        case '%' -> "'%'";
                        default -> throw at.error("DateTime::Format does not know the pattern " + pattern);
                    });
        }
        return DateTimeFormatter.ofPattern(java.toString(), Locale.ROOT).withZone(ZoneOffset.UTC);
    }
}
