/** The log lines of a program. */
@NullMarked
package io.aardappel.program.logging;

import org.jspecify.annotations.NullMarked;
