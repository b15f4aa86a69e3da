/** The way of a record from its bytes to a query's parameters, beside the mere tokenising of the same bytes. */
@NullMarked
package io.aardappel.bench.decode;

import org.jspecify.annotations.NullMarked;
