/** Carries plans out by server-side apply. */
@NullMarked
package io.aardappel.operator.act;

import org.jspecify.annotations.NullMarked;
