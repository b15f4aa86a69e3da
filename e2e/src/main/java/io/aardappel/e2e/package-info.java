@NullMarked
package io.aardappel.e2e;

import org.jspecify.annotations.NullMarked;
