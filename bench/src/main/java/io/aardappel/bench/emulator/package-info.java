/** How fast the emulator is, measured from outside: it runs in a process of its own on the same cores as the client. */
@NullMarked
package io.aardappel.bench.emulator;

import org.jspecify.annotations.NullMarked;
