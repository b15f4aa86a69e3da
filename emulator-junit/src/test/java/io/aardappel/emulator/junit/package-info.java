@NullMarked
package io.aardappel.emulator.junit;

import org.jspecify.annotations.NullMarked;
