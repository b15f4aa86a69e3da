/** What went wrong, in words for people. */
@NullMarked
package io.aardappel.access.failure;

import org.jspecify.annotations.NullMarked;
