/** Topics: partitions, messages, consumers and offsets. */
@NullMarked
package io.aardappel.emulator.model.topic;

import org.jspecify.annotations.NullMarked;
