package io.aardappel.emulator.model.value;

import org.jspecify.annotations.Nullable;

/** A present value of {@code Optional<Optional<T>>}; its own value may be the inner null. */
public record Just(@Nullable Object value) {}
