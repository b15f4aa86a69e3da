package io.aardappel.contract;

/** Words of an instance row's {@code phase}, as they stand there: how far the initial scan has come. */
public enum Phase {
    /** Phase A: some live partition has had no barrier; M grows with what is applied. */
    APPLYING,
    /** Phase B: every live partition has had one; M is frozen and the first cut above it ends the scan. */
    CLOSING,
    /** No scan is going on. */
    NONE
}
