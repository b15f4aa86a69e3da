/**
 * What the replicator, the operator and the Go program must agree on: keys of the configuration file, tables and columns
 * in the destination, and the words that stand in them. Free of I/O and of dependencies.
 */
@NullMarked
package io.aardappel.contract;

import org.jspecify.annotations.NullMarked;
