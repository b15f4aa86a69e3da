/** The YQL subset: grammar, types, execution over model transactions. */
@NullMarked
package io.aardappel.emulator.query;

import org.jspecify.annotations.NullMarked;
