/** Connections to a YDB: how one is named, authenticated, opened and closed. */
@NullMarked
package io.aardappel.replicator.ydb.transport;

import org.jspecify.annotations.NullMarked;
