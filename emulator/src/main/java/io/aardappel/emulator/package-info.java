@NullMarked
package io.aardappel.emulator;

import org.jspecify.annotations.NullMarked;
