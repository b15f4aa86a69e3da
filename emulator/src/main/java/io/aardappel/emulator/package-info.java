/** The public door of the emulator: a YDB in this process. */
@NullMarked
package io.aardappel.emulator;

import org.jspecify.annotations.NullMarked;
