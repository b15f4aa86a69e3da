/** Tables: schema, shards, multi-version rows, serializable transactions. */
@NullMarked
package io.aardappel.emulator.model.table;

import org.jspecify.annotations.NullMarked;
