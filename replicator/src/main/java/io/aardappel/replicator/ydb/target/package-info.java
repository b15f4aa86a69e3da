/**
 * The destination: lock, state row, our rows, and the fenced transaction that carries rows and checkpoint together.
 */
@NullMarked
package io.aardappel.replicator.ydb.target;

import org.jspecify.annotations.NullMarked;
