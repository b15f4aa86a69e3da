package io.aardappel.bench.report;

/**
 * What is wanted of a figure.
 *
 * @param sense whether more is better or less
 * @param required what it must reach
 * @param aim what it should reach
 */
public record Bound(Sense sense, double required, double aim) {
    /** Which side of a bound is the good one. */
    public enum Sense {
        AT_LEAST,
        AT_MOST
    }

    public static Bound atLeast(double required, double aim) {
        return new Bound(Sense.AT_LEAST, required, aim);
    }

    public static Bound atMost(double required, double aim) {
        return new Bound(Sense.AT_MOST, required, aim);
    }

    boolean isMetBy(double value) {
        return holds(value, required);
    }

    private boolean holds(double value, double limit) {
        return sense == Sense.AT_LEAST ? value >= limit : value <= limit;
    }

    String verdict(double value) {
        if (holds(value, aim)) {
            return "aim reached";
        }
        return isMetBy(value) ? "required reached, aim missed" : "REQUIRED MISSED";
    }

    /** For people, such as {@code at least 0.2, aim 0.333}. */
    String words() {
        return (sense == Sense.AT_LEAST ? "at least " : "at most ") + Measure.number(required) + ", aim "
                + Measure.number(aim);
    }
}
