/** The program: main and the wiring. */
@NullMarked
package io.aardappel.replicator.app;

import org.jspecify.annotations.NullMarked;
