/** The YAML file to checked records: read once, checked whole, reported whole. */
@NullMarked
package io.aardappel.replicator.config;

import org.jspecify.annotations.NullMarked;
