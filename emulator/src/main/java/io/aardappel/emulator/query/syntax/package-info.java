/** What a YQL text says, as immutable trees: statements, queries, expressions, each with its position. */
@NullMarked
package io.aardappel.emulator.query.syntax;

import org.jspecify.annotations.NullMarked;
