/**
 * Decides what is done about a Replication and what its status says, from what was observed. Free of I/O, threads and clocks: the
 * same wish in the same world gives the same plan.
 */
@NullMarked
package io.aardappel.operator.plan;

import org.jspecify.annotations.NullMarked;
