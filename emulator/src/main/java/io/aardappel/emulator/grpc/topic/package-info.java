/** The topic service: control calls, read streams that share partitions, write streams. */
@NullMarked
package io.aardappel.emulator.grpc.topic;

import org.jspecify.annotations.NullMarked;
