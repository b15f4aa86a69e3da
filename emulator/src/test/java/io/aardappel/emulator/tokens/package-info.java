@NullMarked
package io.aardappel.emulator.tokens;

import org.jspecify.annotations.NullMarked;
