/** What a backlog costs the replicator, beside a program that only reads it and writes the same rows. */
@NullMarked
package io.aardappel.bench.drain;

import org.jspecify.annotations.NullMarked;
