/** Reads the Secrets that Replications name, and opens their destinations as their pods do. Writes nothing anywhere. */
@NullMarked
package io.aardappel.operator.login;

import org.jspecify.annotations.NullMarked;
