/**
 * One suite that any YDB must pass: it runs against the emulator, and against a real YDB when {@code YDB_ENDPOINT}
 * (host:port) and {@code YDB_DATABASE} are set. What the two agree on here is what the product relies on.
 */
@NullMarked
package io.aardappel.emulator.contract;

import org.jspecify.annotations.NullMarked;
