/** The HTTP interface through which faults are commanded. */
@NullMarked
package io.aardappel.emulator.control;

import org.jspecify.annotations.NullMarked;
