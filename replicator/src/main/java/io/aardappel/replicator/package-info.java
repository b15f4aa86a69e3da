@NullMarked
package io.aardappel.replicator;

import org.jspecify.annotations.NullMarked;
