/** The state of a YDB, pure: no I/O, threads or wall clock. This package: status codes and issues. */
@NullMarked
package io.aardappel.emulator.model;

import org.jspecify.annotations.NullMarked;
