@NullMarked
package io.aardappel.emulator.control;

import org.jspecify.annotations.NullMarked;
