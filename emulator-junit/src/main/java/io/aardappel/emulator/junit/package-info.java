/** Gives JUnit tests a YDB of their own. */
@NullMarked
package io.aardappel.emulator.junit;

import org.jspecify.annotations.NullMarked;
