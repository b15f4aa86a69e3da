/**
 * The YAML file to checked records: read once, checked whole, reported whole. Reads through SnakeYAML's node graph, the
 * parser beneath Jackson's YAML, because only there a scalar keeps the text, quoting and place in the file that the
 * messages and the Go program's typing rules need. Only {@code app} reads this package.
 */
@NullMarked
package io.aardappel.replicator.config;

import org.jspecify.annotations.NullMarked;
