/** Holds the committed CRD, good and bad resources, and the examples to a real Kubernetes API server. */
@NullMarked
package io.aardappel.crds.server;

import org.jspecify.annotations.NullMarked;
