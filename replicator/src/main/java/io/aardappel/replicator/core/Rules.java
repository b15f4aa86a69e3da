package io.aardappel.replicator.core;

import java.util.Comparator;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;

/**
 * The decisions of the core that everything else rests on, given from outside so that a test can plant a fault in one of
 * them and show that the proof notices it. Programs use {@link #STANDARD}.
 *
 * @param quorumOrder the first in this order is the quorum: natural order makes it the minimum
 * @param fold how changes of one row become one write
 * @param border whether a cut may fall between changes of these two positions, the second following the first
 * @param inherited what a partition made of two others is complete to, given what those are complete to
 * @param shed what a partition is complete to, given what its barriers say and the lowest position that was forgotten
 * @param explained whether a consumer that stands at the second offset was brought there by us, given the one up to which our
 *     rows say that we may have committed
 */
public record Rules(
        Comparator<Position> quorumOrder,
        FoldRule fold,
        BiPredicate<Position, Position> border,
        BinaryOperator<Position> inherited,
        BinaryOperator<Position> shed,
        BiPredicate<Long, Long> explained) {
    public static final Rules STANDARD = new Rules(
            Comparator.naturalOrder(),
            RowFold::then,
            (before, after) -> !before.equals(after),
            Rules::earlier,
            Rules::earlier,
            (noted, committed) -> committed <= noted);

    private static Position earlier(Position one, Position other) {
        return other.isBefore(one) ? other : one;
    }

    public Rules withQuorumOrder(Comparator<Position> other) {
        return new Rules(other, fold, border, inherited, shed, explained);
    }

    public Rules withFold(FoldRule other) {
        return new Rules(quorumOrder, other, border, inherited, shed, explained);
    }

    public Rules withBorder(BiPredicate<Position, Position> other) {
        return new Rules(quorumOrder, fold, other, inherited, shed, explained);
    }

    public Rules withInherited(BinaryOperator<Position> other) {
        return new Rules(quorumOrder, fold, border, other, shed, explained);
    }

    public Rules withShed(BinaryOperator<Position> other) {
        return new Rules(quorumOrder, fold, border, inherited, other, explained);
    }

    public Rules withExplained(BiPredicate<Long, Long> other) {
        return new Rules(quorumOrder, fold, border, inherited, shed, other);
    }
}
