/** The engine's ports over YDB: topics in; rows, checkpoint and lock out in one transaction. */
@NullMarked
package io.aardappel.replicator.ydb;

import org.jspecify.annotations.NullMarked;
