/** {@code Ydb.Type} and {@code Ydb.Value} of the protocol to the model's types and values, and back. */
@NullMarked
package io.aardappel.emulator.grpc.value;

import org.jspecify.annotations.NullMarked;
