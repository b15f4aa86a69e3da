package io.aardappel.emulator.query.syntax;

/** Operators with one or two operands, with the sign by which messages name them. */
public enum Operator {
    OR("OR"),
    AND("AND"),
    XOR("XOR"),
    NOT("NOT"),
    EQUAL("=="),
    NOT_EQUAL("!="),
    LESS("<"),
    LESS_EQUAL("<="),
    GREATER(">"),
    GREATER_EQUAL(">="),
    DISTINCT_FROM("IS DISTINCT FROM"),
    NOT_DISTINCT_FROM("IS NOT DISTINCT FROM"),
    COALESCE("??"),
    CONCAT("||"),
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    MODULO("%"),
    BIT_AND("&"),
    BIT_OR("|"),
    BIT_XOR("^"),
    SHIFT_LEFT("<<"),
    SHIFT_RIGHT(">>"),
    PLUS("unary +"),
    NEGATE("unary -"),
    BIT_NOT("~");

    private final String sign;

    Operator(String sign) {
        this.sign = sign;
    }

    public String sign() {
        return sign;
    }

    /** True for the operators whose result is Bool by comparing two values. */
    public boolean isComparison() {
        return switch (this) {
            case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL -> true;
            default -> false;
        };
    }

    /** The comparison with the operands exchanged. */
    public Operator mirrored() {
        return switch (this) {
            case LESS -> GREATER;
            case LESS_EQUAL -> GREATER_EQUAL;
            case GREATER -> LESS;
            case GREATER_EQUAL -> LESS_EQUAL;
            default -> this;
        };
    }
}
