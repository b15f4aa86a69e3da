/** The operator with few and with many resources, at a Kubernetes API server without controllers. */
@NullMarked
package io.aardappel.bench.operator;

import org.jspecify.annotations.NullMarked;
