/** Tests of the module as a whole. */
@NullMarked
package io.aardappel.crds;

import org.jspecify.annotations.NullMarked;
