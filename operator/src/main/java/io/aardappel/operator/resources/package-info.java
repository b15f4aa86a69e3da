/**
 * The Kubernetes objects that a Replication is to have: what they hold follows from its spec alone. Nothing here talks to a
 * cluster.
 */
@NullMarked
package io.aardappel.operator.resources;

import org.jspecify.annotations.NullMarked;
