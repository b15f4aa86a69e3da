package io.aardappel.replicator.core;

/** How far an initial scan is; the names are what our instance row keeps. */
public enum ScanPhase {
    /** Some live partition has had no barrier: records are applied as they come, the maximum position applied is kept. */
    APPLYING,
    /** Every live partition has had a barrier: the maximum is frozen, cuts go as in RUN but write no checkpoint up to it. */
    CLOSING,
    /** No scan is going on. */
    NONE
}
