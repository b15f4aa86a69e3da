/** Reads what the cluster and the state table say into an {@link io.aardappel.operator.plan.Observed}. Changes nothing. */
@NullMarked
package io.aardappel.operator.observe;

import org.jspecify.annotations.NullMarked;
