/** Turns committed row changes into changefeed records and barriers. */
@NullMarked
package io.aardappel.emulator.changefeed;

import org.jspecify.annotations.NullMarked;
