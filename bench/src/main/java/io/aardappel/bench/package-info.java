@NullMarked
package io.aardappel.bench;

import org.jspecify.annotations.NullMarked;
