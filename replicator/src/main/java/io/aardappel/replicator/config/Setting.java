package io.aardappel.replicator.config;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * One key of the {@code replicator} section: what it means, its default and its range. The reference page is made from
 * these.
 *
 * @param key its name in the file
 * @param unit how it is written: {@code rows}, {@code size}, {@code duration}, …
 * @param fallback the value where the file says nothing
 * @param least the smallest value allowed
 * @param most the largest value allowed
 * @param meaning one sentence for the operator
 * @param parse text to value; empty where the text is no such thing
 * @param print value to the text that reads back as it
 */
public record Setting<T extends Comparable<T>>(
        String key,
        String unit,
        T fallback,
        T least,
        T most,
        String meaning,
        Function<String, Optional<T>> parse,
        Function<T, String> print) {
    static Setting<Integer> count(String key, String unit, int fallback, int least, int most, String meaning) {
        return new Setting<>(key, unit, fallback, least, most, meaning, Quantities::parseCount, String::valueOf);
    }

    static Setting<Long> size(String key, String fallback, String least, String most, String meaning) {
        return new Setting<>(
                key,
                "size",
                Quantities.parseSize(fallback).orElseThrow(),
                Quantities.parseSize(least).orElseThrow(),
                Quantities.parseSize(most).orElseThrow(),
                meaning,
                Quantities::parseSize,
                Quantities::printSize);
    }

    static Setting<Duration> duration(String key, String fallback, String least, String most, String meaning) {
        return new Setting<>(
                key,
                "duration",
                Quantities.parseDuration(fallback).orElseThrow(),
                Quantities.parseDuration(least).orElseThrow(),
                Quantities.parseDuration(most).orElseThrow(),
                meaning,
                Quantities::parseDuration,
                Quantities::printDuration);
    }

    boolean allows(T value) {
        return least.compareTo(value) <= 0 && value.compareTo(most) <= 0;
    }

    /** What a value of it is, for a message. */
    String noun() {
        return fallback instanceof Integer ? "a number of " + unit : "a " + unit;
    }

    /** The range as the operator would write its ends. */
    public String range() {
        return print.apply(least) + " to " + print.apply(most);
    }
}
