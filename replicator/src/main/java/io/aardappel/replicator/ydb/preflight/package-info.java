/** Checks before anything is applied: topics, feeds, tables and the state table, all problems at once. */
@NullMarked
package io.aardappel.replicator.ydb.preflight;

import org.jspecify.annotations.NullMarked;
