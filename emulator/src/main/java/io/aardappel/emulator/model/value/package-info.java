/** Types of YDB and the Java objects that stand for their values. */
@NullMarked
package io.aardappel.emulator.model.value;

import org.jspecify.annotations.NullMarked;
