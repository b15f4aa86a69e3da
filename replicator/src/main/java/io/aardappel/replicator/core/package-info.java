/** The algorithm, pure: positions, records, quorum, partitions, cut, fold, stages, membership. No I/O, threads or clocks. */
@NullMarked
package io.aardappel.replicator.core;

import org.jspecify.annotations.NullMarked;
