@NullMarked
package io.aardappel.emulator.grpc.value;

import org.jspecify.annotations.NullMarked;
