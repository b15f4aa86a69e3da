/** Changes the rows of an instance in its destination, each time in one serializable transaction that proves what it relies on. */
@NullMarked
package io.aardappel.operator.state;

import org.jspecify.annotations.NullMarked;
