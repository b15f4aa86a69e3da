/** What the program is told by its command line and its environment: read once, checked whole, reported whole. */
@NullMarked
package io.aardappel.operator.settings;

import org.jspecify.annotations.NullMarked;
