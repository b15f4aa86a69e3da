/** What becomes of records that are late or do not fit: strategies, commands, dead letters. */
@NullMarked
package io.aardappel.replicator.problems;

import org.jspecify.annotations.NullMarked;
