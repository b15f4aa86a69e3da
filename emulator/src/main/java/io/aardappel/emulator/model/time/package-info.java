/** Virtual time: the pair (step, txId) that orders commits. */
@NullMarked
package io.aardappel.emulator.model.time;

import org.jspecify.annotations.NullMarked;
