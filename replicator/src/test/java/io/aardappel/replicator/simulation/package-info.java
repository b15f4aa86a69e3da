/** The engine against a model of source and destination, under one seeded scheduler with virtual time. */
@NullMarked
package io.aardappel.replicator.simulation;

import org.jspecify.annotations.NullMarked;
