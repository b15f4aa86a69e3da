/** The operator and its pods in a whole Kubernetes cluster, with databases of an emulator on this machine. */
@NullMarked
package io.aardappel.e2e.cluster;

import org.jspecify.annotations.NullMarked;
