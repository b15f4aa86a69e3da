package io.aardappel.replicator.core;

import java.util.Comparator;

/**
 * The two decisions of the core that everything else rests on, given from outside so that a test can plant a fault and
 * show that the proof notices it. Programs use {@link #STANDARD}.
 *
 * @param quorumOrder the first in this order is the quorum: natural order makes it the minimum
 * @param fold how changes of one row become one write
 */
public record Rules(Comparator<Position> quorumOrder, FoldRule fold) {
    public static final Rules STANDARD = new Rules(Comparator.naturalOrder(), RowFold::then);
}
