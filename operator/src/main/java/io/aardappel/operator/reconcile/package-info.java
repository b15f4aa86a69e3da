/** Where the operator SDK calls in: what is watched, and observe, plan, act for each resource. */
@NullMarked
package io.aardappel.operator.reconcile;

import org.jspecify.annotations.NullMarked;
