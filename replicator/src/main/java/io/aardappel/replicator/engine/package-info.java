/** The one loop, and the ports it owns. */
@NullMarked
package io.aardappel.replicator.engine;

import org.jspecify.annotations.NullMarked;
