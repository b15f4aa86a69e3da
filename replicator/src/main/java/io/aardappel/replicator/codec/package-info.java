/** Changefeed JSON to records, cells to YDB parameters. */
@NullMarked
package io.aardappel.replicator.codec;

import org.jspecify.annotations.NullMarked;
