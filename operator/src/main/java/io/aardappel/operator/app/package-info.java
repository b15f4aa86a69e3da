/** The operator's program: settings, the check of rights, the wiring of everything else, and its end. Imported by nobody. */
@NullMarked
package io.aardappel.operator.app;

import org.jspecify.annotations.NullMarked;
