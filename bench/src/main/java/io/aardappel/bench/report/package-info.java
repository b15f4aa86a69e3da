/** Figures with what is wanted of them, and how they are kept and shown. */
@NullMarked
package io.aardappel.bench.report;

import org.jspecify.annotations.NullMarked;
