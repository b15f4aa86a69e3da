/**
 * The snapshot property: a random workload on a source, replicators that carry it over, an observer that compares every
 * value of the replica with the source's history as of the replica's checkpoint.
 */
@NullMarked
package io.aardappel.e2e.snapshot;

import org.jspecify.annotations.NullMarked;
