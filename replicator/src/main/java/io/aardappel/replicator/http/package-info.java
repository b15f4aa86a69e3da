/** Probes, status and metrics out of the engine's read-only snapshot. */
@NullMarked
package io.aardappel.replicator.http;

import org.jspecify.annotations.NullMarked;
