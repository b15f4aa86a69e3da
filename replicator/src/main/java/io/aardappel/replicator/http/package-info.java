/**
 * Probes, status and metrics out of the engine's read-only snapshot, over the JDK's HTTP server. JSON is written with
 * Jackson's generator, metrics with the Prometheus client beneath Micrometer.
 */
@NullMarked
package io.aardappel.replicator.http;

import org.jspecify.annotations.NullMarked;
