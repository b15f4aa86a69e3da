/** The programs that are measured, run as processes of their own, and what they use of the machine. */
@NullMarked
package io.aardappel.bench.process;

import org.jspecify.annotations.NullMarked;
