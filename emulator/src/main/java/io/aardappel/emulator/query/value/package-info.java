/** What values do: text forms, conversions between types, arithmetic. Knows nothing of statements. */
@NullMarked
package io.aardappel.emulator.query.value;

import org.jspecify.annotations.NullMarked;
