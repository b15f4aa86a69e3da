@NullMarked
package io.aardappel.emulator.grpc;

import org.jspecify.annotations.NullMarked;
