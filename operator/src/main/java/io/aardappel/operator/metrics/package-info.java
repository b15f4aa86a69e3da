/** What the operator measures, in the words of Prometheus. Knows nothing of pages and of the program that wires it. */
@NullMarked
package io.aardappel.operator.metrics;

import org.jspecify.annotations.NullMarked;
