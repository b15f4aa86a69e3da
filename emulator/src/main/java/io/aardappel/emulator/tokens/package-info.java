/** The OAuth 2.0 endpoint that exchanges tokens for tickets of the emulator. */
@NullMarked
package io.aardappel.emulator.tokens;

import org.jspecify.annotations.NullMarked;
