/** Failures on purpose, by command or by seed. */
@NullMarked
package io.aardappel.emulator.faults;

import org.jspecify.annotations.NullMarked;
