@NullMarked
package io.aardappel.emulator.faults;

import org.jspecify.annotations.NullMarked;
