/** The kinds of failure on purpose, and the question that the model asks where one can strike. */
@NullMarked
package io.aardappel.emulator.model.fault;

import org.jspecify.annotations.NullMarked;
