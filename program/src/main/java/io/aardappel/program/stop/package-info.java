/** How a program is asked to stop, and how it ends then. */
@NullMarked
package io.aardappel.program.stop;

import org.jspecify.annotations.NullMarked;
