package io.aardappel.operator.act;

/** Whether this operator is still the one that acts. Thread-safe. */
@FunctionalInterface
public interface Fence {
    /** Where there is never more than one operator. */
    Fence OPEN = () -> {};

    /**
     * To be asked before each write.
     *
     * @throws LeaseLostException when another operator may act by now, so that nothing may be written any more
     */
    void check();
}
