/** YDB's public gRPC services over the model. */
@NullMarked
package io.aardappel.emulator.grpc;

import org.jspecify.annotations.NullMarked;
