package io.aardappel.replicator.core;

/** How two writes of one row become one. The product's rule is {@link RowFold}; tests plant faults with others. */
@FunctionalInterface
public interface FoldRule {
    /** What {@code first} and then {@code second} do, as one write; both are of the same key. */
    RowWrite then(RowWrite first, RowWrite second);
}
