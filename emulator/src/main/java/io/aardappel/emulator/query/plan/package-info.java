/** Statements with names and types resolved, and what they do inside a transaction. */
@NullMarked
package io.aardappel.emulator.query.plan;

import org.jspecify.annotations.NullMarked;
