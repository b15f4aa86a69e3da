/** What is the same in the life of every program of ours: how it is run, and what it calls itself. Knows none of them. */
@NullMarked
package io.aardappel.program;

import org.jspecify.annotations.NullMarked;
