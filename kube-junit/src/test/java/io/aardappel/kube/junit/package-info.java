@NullMarked
package io.aardappel.kube.junit;

import org.jspecify.annotations.NullMarked;
