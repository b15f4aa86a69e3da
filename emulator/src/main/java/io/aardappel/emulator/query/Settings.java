package io.aardappel.emulator.query;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Conversions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The constants of one {@code WITH (name = value, ...)}. Names have no case. */
final class Settings {
    /**
     * @param on the column behind ON, null when there is none
     * @param unit the word behind AS, null when there is none
     */
    record Setting(
            Position at,
            String name,
            List<Expression> values,
            @Nullable String on,
            @Nullable String unit) {
        String key() {
            return name.toLowerCase(Locale.ROOT);
        }

        boolean bool() {
            return (value() instanceof Expression.Literal literal && literal.value() instanceof Boolean value)
                    ? value
                    : refuse("Literal of Bool type is expected for " + name);
        }

        long number() {
            return value() instanceof Expression.Literal literal && literal.value() instanceof Long value
                    ? value
                    : refuse("Literal of integer type is expected for " + name);
        }

        int positive() {
            long number = number();
            return number > 0 && number <= Integer.MAX_VALUE ? (int) number : refuse(name + " must be positive");
        }

        /** A string, or a bare word such as ENABLED. */
        String word() {
            if (value() instanceof Expression.Name word) {
                return word.name();
            }
            String text = text();
            return text != null ? text : refuse("Literal of String type is expected for " + name);
        }

        private @Nullable String text() {
            if (!(value() instanceof Expression.Literal literal)) {
                return null;
            }
            return literal.value() instanceof Bytes bytes
                    ? Conversions.utf8(bytes)
                    : literal.value() instanceof String text ? text : null;
        }

        boolean enabled() {
            return switch (word().toUpperCase(Locale.ROOT)) {
                case "ENABLED" -> true;
                case "DISABLED" -> false;
                default -> refuse(name + " is ENABLED or DISABLED");
            };
        }

        Duration positiveInterval() {
            Duration interval = interval();
            return interval.isNegative() || interval.isZero() ? refuse(name + " must be positive") : interval;
        }

        Duration interval() {
            return value() instanceof Expression.Literal literal
                            && (literal.type() == Primitive.INTERVAL || literal.type() == Primitive.INTERVAL64)
                            && literal.value() instanceof Long micros
                    ? Duration.of(micros, ChronoUnit.MICROS)
                    : refuse("Literal of Interval type is expected for " + name);
        }

        Instant instant() {
            if (value() instanceof Expression.Literal literal && literal.value() instanceof Long value) {
                if (literal.type() == Primitive.TIMESTAMP) {
                    return Instant.EPOCH.plus(value, ChronoUnit.MICROS);
                }
                if (literal.type() == Primitive.DATETIME || isInteger(literal.type())) {
                    return Instant.ofEpochSecond(value);
                }
                if (literal.type() == Primitive.DATE) {
                    return Instant.EPOCH.plus(value, ChronoUnit.DAYS);
                }
            }
            return refuse("Literal of Timestamp, Datetime or Date type is expected for " + name);
        }

        private static boolean isInteger(Type type) {
            return io.aardappel.emulator.query.value.Types.isInteger(type);
        }

        private Expression value() {
            return values.size() == 1 ? values.get(0) : refuse(name + " takes one value");
        }

        /** Never returns; typed so that it can stand where a value is expected. */
        @SuppressWarnings({"TypeParameterUnusedInFormals", "DoNotCallSuggester"})
        <T> T refuse(String message) {
            throw at.error(message);
        }
    }

    private final ExpressionReader expressions;

    Settings(ExpressionReader expressions) {
        this.expressions = expressions;
    }

    List<Setting> read(YqlParser.@Nullable SettingsContext tree) {
        List<Setting> settings = new ArrayList<>();
        if (tree != null && tree.settingList() != null) {
            for (YqlParser.SettingContext setting : tree.settingList().setting()) {
                settings.add(read(setting));
            }
        }
        return settings;
    }

    private Setting read(YqlParser.SettingContext tree) {
        Position at = Names.at(tree);
        String name = Names.name(tree.name());
        if (tree.settingValue() instanceof YqlParser.ListSettingContext list) {
            List<Expression> values =
                    list.expression().stream().map(expressions::read).toList();
            return new Setting(at, name, values, null, null);
        }
        YqlParser.ExpressionSettingContext value = (YqlParser.ExpressionSettingContext) tree.settingValue();
        String on = value.ON() == null ? null : Names.name(value.name(0));
        String unit = value.AS() == null ? null : Names.name(value.name(1));
        return new Setting(at, name, List.of(expressions.read(value.expression())), on, unit);
    }
}
