@NullMarked
package io.aardappel.contract;

import org.jspecify.annotations.NullMarked;
