/** Gives JUnit tests a Kubernetes API server: the real kube-apiserver with its etcd, without nodes and controllers. */
@NullMarked
package io.aardappel.kube.junit;

import org.jspecify.annotations.NullMarked;
