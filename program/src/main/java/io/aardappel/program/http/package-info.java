/** Pages that a program serves over the JDK's HTTP server; what stands in them comes from the program. */
@NullMarked
package io.aardappel.program.http;

import org.jspecify.annotations.NullMarked;
