@NullMarked
package io.aardappel.emulator.app;

import org.jspecify.annotations.NullMarked;
